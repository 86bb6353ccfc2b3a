//! What the door says, as problem documents: each names the reason and the remedy.

use domain::door::{Refusal, Verdict, Way};
use domain::ids::EventId;
use domain::time::WallMs;
use domain::token::{AccountToken, Token, WorkToken, challenge_data};
use serde_json::json;

use crate::call::Call;
use crate::clock;
use crate::problem::{Code, Problem};

/// The document of a verdict that is not "enter". `failed` is why a proof that was shown is not good.
pub fn problem(
    call: &Call,
    event: &EventId,
    account: &AccountToken,
    verdict: Verdict,
    failed: Option<&str>,
    now: WallMs,
) -> Problem {
    match verdict {
        Verdict::Refused(Refusal::Network) => Code::NetworkRefused.into(),
        Verdict::Refused(Refusal::TooFast(wait_ms)) => Problem::too_fast(wait_ms),
        Verdict::Refused(Refusal::Claims(missing)) => Problem::from(Code::ClaimRequired).with("claims", json!(missing)),
        Verdict::Prove { ways, bits } => prove(call, event, account, &ways, bits, failed, now),
        Verdict::Enter(_) => Code::Internal.into(),
    }
}

fn prove(
    call: &Call,
    event: &EventId,
    account: &AccountToken,
    ways: &[Way],
    bits: u8,
    failed: Option<&str>,
    now: WallMs,
) -> Problem {
    let code = if failed.is_some() { Code::CheckFailed } else { Code::CheckRequired };
    let mut problem = Problem::from(code).with("ways", json!(ways));
    if let Some(why) = failed {
        problem = problem.with("why", why);
    }
    if ways.contains(&Way::Work) {
        let riddle = WorkToken::issue(account.account, bits, clock::random16(), now).encode(&call.config.keys, event);
        problem = problem.with("work", json!({ "riddle": riddle, "bits": bits, "parts": domain::door::work::PARTS }));
    }
    match &call.config.turnstile {
        Some(turnstile) if ways.contains(&Way::Turnstile) => {
            let data = challenge_data(event, &account.account);
            let action = domain::door::turnstile::ACTION;
            problem.with("turnstile", json!({ "sitekey": turnstile.sitekey, "action": action, "cdata": data }))
        }
        _ => problem,
    }
}
