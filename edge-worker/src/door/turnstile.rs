//! Turnstile, verified at the server: a token means nothing until `siteverify` says so.

use std::cell::Cell;

use domain::door::turnstile::{Answer, Outcome, TOKEN_MAX, Wanted, judge};
use domain::ids::{AccountId, EventId};
use domain::time::WallMs;
use domain::token::challenge_data;
use form_urlencoded::Serializer;

use crate::call::Call;
use crate::clock;
use crate::config::Turnstile;
use crate::outside;

/// Patience with `siteverify`, for its answer and for the answer's body, in milliseconds.
const PATIENCE_MS: u64 = 2_500;
/// How long an outage is remembered, in milliseconds: meanwhile nobody is sent there.
const OUTAGE_MS: i64 = 30_000;

thread_local! {
    static DOWN_UNTIL: Cell<WallMs> = const { Cell::new(WallMs(0)) };
}

/// Whether it did not answer lately.
pub fn is_down(now: WallMs) -> bool {
    now < DOWN_UNTIL.get()
}

/// Asks whether a token is good for this account, here, and for the first time.
pub async fn verify(call: &Call, event: &EventId, account: &AccountId, token: &str) -> Outcome {
    let Some(turnstile) = &call.config.turnstile else { return Outcome::Down };
    if token.is_empty() || token.len() > TOKEN_MAX {
        return Outcome::Failed("wrong");
    }
    let Ok(answer) = ask(call, turnstile, token).await else {
        DOWN_UNTIL.set(clock::now().plus(OUTAGE_MS));
        return Outcome::Down;
    };
    let hostname = call.url.host_str().unwrap_or_default();
    let outcome = judge(&answer, &Wanted { hostname, cdata: &challenge_data(event, account) });
    if outcome == Outcome::Down {
        worker::console_error!("turnstile: {:?}", answer.errors);
        DOWN_UNTIL.set(clock::now().plus(OUTAGE_MS));
    }
    outcome
}

async fn ask(call: &Call, turnstile: &Turnstile, token: &str) -> Result<Answer, outside::Silence> {
    let mut form = Serializer::new(String::new());
    form.append_pair("secret", &turnstile.secret).append_pair("response", token);
    if let Some(address) = call.header("CF-Connecting-IP") {
        form.append_pair("remoteip", &address);
    }
    let kind = [("Content-Type", "application/x-www-form-urlencoded")];
    let request = outside::post(&turnstile.url, &kind, form.finish()).map_err(|_| outside::Silence::Unreachable)?;
    outside::json(outside::send(request, PATIENCE_MS).await?, PATIENCE_MS).await
}
