//! `onsale verify-draw`: an on-sale, recomputed from what was published.

use anyhow::{Context, bail};
use domain::draw::{Checked, Refused, Verdict};
use serde_json::json;

use super::args::VerifyDrawArgs;
use crate::verify::{Own, Published, Source};

pub(super) async fn run(args: VerifyDrawArgs) -> anyhow::Result<()> {
    let source = Source::new(&args.from, args.save);
    let published = Published::read(&source, args.lane.as_deref()).await?;
    let own = match (&args.token, &args.proof) {
        (Some(token), _) => Some(Own::ask(&source, token).await?),
        (None, Some(file)) => {
            let bytes = std::fs::read(file).with_context(|| file.display().to_string())?;
            Some(Own { proof: serde_json::from_slice(&bytes)?, told: None })
        }
        (None, None) => None,
    };
    let checked = published.check();
    let place = own.as_ref().map(|own| published.place_of(own)).transpose();
    match (checked, place) {
        (Ok(checked), Ok(place)) => {
            tell(&published, &checked, own.zip(place), args.json);
            Ok(())
        }
        (Err(refused), _) | (_, Err(refused)) => refuse(refused, args.json),
    }
}

fn refuse(refused: Refused, as_json: bool) -> anyhow::Result<()> {
    let code = serde_json::to_value(refused.fault)?;
    let code = code.as_str().unwrap_or_default();
    if as_json {
        println!("{}", json!({ "ok": false, "fault": code, "cohort": refused.k, "says": refused.to_string() }));
    }
    bail!("the draw does not hold: {code}: {refused}")
}

fn tell(published: &Published, checked: &Checked, own: Option<(Own, u64)>, as_json: bool) {
    if as_json {
        let entry = own.map(|(own, place)| json!({ "place": place, "cohort": own.proof.k, "told": own.told }));
        println!("{}", json!({ "ok": true, "event": published.event.id, "checked": checked, "entry": entry }));
        return;
    }
    let Checked { cohorts, places, admitted, .. } = checked;
    println!("{}: {places} places in {cohorts} cohorts, {admitted} admitted", published.event.id);
    println!("people: every cohort goes on where the one before ended, places are dense from 1");
    if let (Some((sealed, due)), Some(round)) = (checked.sealed_and_due_ms, checked.round) {
        let later = due.since(sealed) as f64 / 1_000.0;
        println!(
            "beacon: sealed at {}, round {round} came {later:.1} s later, signed by the beacon's key",
            utc(sealed.0)
        );
    }
    match checked.verdict {
        Verdict::SecretNotPublished => println!("secret: not published yet, so the seeds cannot be checked"),
        _ => println!("secret: it is the one committed to, and every seed follows from it"),
    }
    if let Some((own, place)) = own {
        println!("entry: proved to be in the draw, place {place} (cohort {})", own.proof.k);
    }
    println!("{}", published.says(checked.verdict));
}

fn utc(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms).unwrap_or_default().to_string()
}
