//! The nightly audit over a real table and the provider: what it keeps, and that nothing stops or confuses it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context as _, Result};
use capture_lambda::audit::{Auditor, NIGHT_MS, Told};
use checkout::client::{Patience, Provider, ProviderTerms, Secret};
use checkout::wall_now;
use domain::audit::{Code, Counts, MOST_TRIES, Stage, Stored};
use domain::items::{attr, key};
use domain::plan::Update;
use serde_json::json;

use crate::audit::Hall;
use crate::bench::Bench;

const LONG: Duration = Duration::from_secs(60);
/// A walk is due at once.
const NOW: i64 = 0;

fn auditor(bench: &Bench) -> Result<Auditor> {
    let moment = Duration::from_millis(300);
    let patience = Patience { attempt: moment, whole: moment, pause: Duration::from_millis(20), tries: 1 };
    let terms = ProviderTerms { pages: "https://tickets.example".into(), kinds: vec!["card".into()] };
    let provider = Provider::new(&bench.payments.url(), Secret::new("sk_test_bench"), patience, terms)?;
    Ok(Auditor::new(bench.table.clone(), provider))
}

/// One walk from its begin to its end.
async fn walked(bench: &Bench) -> Result<Counts> {
    let told = auditor(bench)?.step(NOW, LONG).await?;
    assert!(told.done, "{told:?}");
    told.counts.context("a walk was due")
}

/// Everything that is kept.
async fn kept(bench: &Bench) -> Result<Vec<Stored>> {
    let mut kept = bench.table.findings(Some(&bench.event)).await?;
    kept.extend(bench.table.findings(None).await?);
    Ok(kept)
}

#[tokio::test]
async fn a_hall_that_only_rules_wrote_is_walked_without_a_finding() -> Result<()> {
    let hall = Hall::start().await?;
    walked(&hall.bench).await?;
    let all = hall.bench.table.scan().await?.len() as u64;
    assert_eq!(walked(&hall.bench).await?, Counts { items: all, payments: 2, findings: 0, left_behind: 0 });
    assert_eq!(kept(&hall.bench).await?, []);
    assert_eq!(auditor(&hall.bench)?.step(NIGHT_MS, LONG).await?, Told::default(), "the next one is due tomorrow");
    Ok(())
}

/// Harm that shows only when time has passed.
async fn age(hall: &Hall, code: Code) -> Result<()> {
    let clock = hall.bench.table.clock(&hall.bench.event).await?.context("a clock")?.clock;
    match code {
        Code::HoldLeftOver => {
            let usage = hall.bench.table.usage(&hall.bench.fan("bo").account, &hall.bench.event).await?;
            let (hold, _) = usage.and_then(|usage| usage.hold).context("a hold")?;
            let until = clock.event.plus(-2 * 60 * 60 * 1000).0;
            hall.set(&key::hold(&hold), Update::new().set(attr::UNTIL, until)).await
        }
        Code::OrderMidStep => {
            let order = hall.bench.order(&hall.bench.fan("cy"), "o").await?.context("an order")?;
            let made = wall_now().plus(-27 * 60 * 60 * 1000).0;
            hall.set(&key::order(&order.id), Update::new().set(attr::AT, made)).await
        }
        _ => Ok(()),
    }
}

#[tokio::test]
async fn each_kind_of_harm_is_kept() -> Result<()> {
    // Which orders a card paid cannot be asked of the table; `onsale audit` compares it.
    for code in Code::ALL.iter().filter(|code| **code != Code::CardUseDiffers) {
        let hall = Hall::start().await?;
        hall.harm(*code).await?;
        age(&hall, *code).await?;
        walked(&hall.bench).await?;
        let found: Vec<Code> = kept(&hall.bench).await?.iter().map(|stored| stored.finding.code).collect();
        assert!(found.contains(code), "{code} is not among {found:?}");
    }
    Ok(())
}

#[tokio::test]
async fn a_finding_is_kept_once_and_told_once_without_names() -> Result<()> {
    let hall = Hall::start().await?;
    hall.harm(Code::UsageDiffers).await?;
    let log = Log::default();
    let first = {
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt().with_writer(move || writer.clone()).with_ansi(false).finish();
        let _guard = tracing::subscriber::set_default(subscriber);
        walked(&hall.bench).await?;
        let first = kept(&hall.bench).await?;
        walked(&hall.bench).await?;
        first
    };
    let [before] = &first[..] else { anyhow::bail!("{first:?}") };
    let again = kept(&hall.bench).await?;
    let [after] = &again[..] else { anyhow::bail!("{again:?}") };
    assert_eq!((after.first, &after.finding), (before.first, &before.finding));
    assert!(after.last > before.last, "seen again: {after:?}");

    let text = log.text();
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("needs a person")).collect();
    assert_eq!(lines.len(), 1, "{text}");
    assert!(lines[0].contains("ERROR") && lines[0].contains("USAGE_DIFFERS") && lines[0].contains(&before.id()));
    let account = hall.sold.account.to_string();
    assert!(before.finding.subject.contains(&account) && !text.contains(&account), "{text}");
    Ok(())
}

/// Dropped after any while, as a killed function is; what was read is counted once, and nothing twice.
#[tokio::test]
async fn a_walk_that_is_killed_again_and_again_ends_with_the_same_counts() -> Result<()> {
    let hall = Hall::start().await?;
    let whole = walked(&hall.bench).await?;
    let all = hall.bench.table.scan().await?.len() as u64;
    assert!(whole.items <= all);
    auditor(&hall.bench)?.step(NOW, Duration::from_millis(1)).await?;
    let (mut kills, mut ms) = (0, 3);
    let stage = async || anyhow::Ok(hall.bench.table.walk().await?.context("a walk")?.stage);
    while stage().await? != Stage::Done {
        let auditor = auditor(&hall.bench)?;
        let step = tokio::time::timeout(Duration::from_millis(ms), auditor.step(NIGHT_MS, LONG)).await;
        kills += u32::from(step.is_err());
        ms += 9; // on a slow machine a page takes a while
    }
    let walk = hall.bench.table.walk().await?.context("a walk")?;
    assert!(kills > 3, "killed {kills} times");
    assert_eq!((&walk.stage, walk.counts), (&Stage::Done, Counts { items: all, ..whole }));
    Ok(())
}

/// The provider is out for the night: counts stay as they are step by step, the list is left behind with a finding, and the next
/// night reads it.
#[tokio::test]
async fn a_list_that_cannot_be_read_is_left_behind_and_loses_no_count() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    walked(&bench).await?;
    let all = bench.table.scan().await?.len() as u64;
    bench.control(json!({"outage": true})).await?;
    let mut told = auditor(&bench)?.step(NOW, LONG).await?;
    for _ in 1..MOST_TRIES {
        assert_eq!((told.done, told.counts.map(|counts| counts.items)), (false, Some(all)), "nothing is lost");
        assert_eq!(kept(&bench).await?, []);
        told = auditor(&bench)?.step(NIGHT_MS, LONG).await?;
    }
    assert_eq!(told.counts, Some(Counts { items: all, payments: 0, findings: 1, left_behind: 1 }));
    assert!(told.done);
    let kept = kept(&bench).await?;
    let [stored] = &kept[..] else { anyhow::bail!("one finding") };
    assert_eq!((stored.event.as_ref(), stored.finding.code), (None, Code::Unreadable));
    bench.control(json!({"outage": false})).await?;
    assert_eq!(walked(&bench).await?.left_behind, 0);
    Ok(())
}

/// Two janitors at once: what each page holds is counted by one of them.
#[tokio::test]
async fn two_walk_at_once_and_count_once() -> Result<()> {
    let hall = Hall::start().await?;
    walked(&hall.bench).await?;
    let all = hall.bench.table.scan().await?.len() as u64;
    auditor(&hall.bench)?.step(NOW, Duration::from_millis(1)).await?;
    let mut done = false;
    while !done {
        let (one, two) = (auditor(&hall.bench)?, auditor(&hall.bench)?);
        let (one, two) = tokio::join!(one.step(NIGHT_MS, LONG), two.step(NIGHT_MS, LONG));
        done = one?.done | two?.done;
    }
    let walk = hall.bench.table.walk().await?.context("a walk")?;
    assert_eq!((walk.stage, walk.counts.items, walk.counts.payments), (Stage::Done, all, 2));
    Ok(())
}

/// What was logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().expect("nobody panicked")).into_owned()
    }
}

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panicked").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
