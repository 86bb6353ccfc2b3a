//! What conflicts, throttles and lost replies do to a transaction, alone and mixed. No emulator throws them, so an
//! interceptor under the real SDK does.
#![allow(clippy::unwrap_used)] // A panic is a test's failure.

mod support;

use domain::hold::TakeRefusal;
use domain::plan::Decided;
use support::faults::{Fault, Faults};
use support::shop::{self, take};
use table::{DecideError, Table, TableError};

const CANCELED: &str = "TransactionCanceledException";

struct Bench {
    plain: Table,
    faulty: Table,
    faults: Faults,
    endpoint: String,
}

async fn bench(faults: impl IntoIterator<Item = Fault>) -> Bench {
    let endpoint = support::endpoint().await;
    let faults = Faults::of(faults);
    let plain =
        Table::new(aws_sdk_dynamodb::Client::from_conf(support::config(&endpoint).build()), support::table_name());
    plain.create().await.unwrap();
    shop::stock(&plain, 4, 4).await;
    let faulty = support::through(&plain, &endpoint, faults.clone());
    Bench { plain, faulty, faults, endpoint }
}

/// B-61: every fault that may pass is retried, under one token, and the hold is made once.
#[tokio::test(flavor = "multi_thread")]
async fn transient_faults_are_retried_under_one_token() {
    let cases: [&[Fault]; 7] = [
        &[Fault::Instead(CANCELED, &["TransactionConflict", "None", "None"])],
        &[Fault::Instead(CANCELED, &["None", "ThrottlingError", "TransactionConflict"])],
        &[Fault::Instead(CANCELED, &["ProvisionedThroughputExceeded"])],
        &[Fault::Instead("TransactionInProgressException", &[])],
        &[Fault::Instead("ProvisionedThroughputExceededException", &[]), Fault::Instead("ThrottlingException", &[])],
        &[Fault::Instead("RequestLimitExceeded", &[]), Fault::LostReply],
        &[Fault::LostReply, Fault::Instead(CANCELED, &["TransactionConflict"]), Fault::LostReply],
    ];
    for faults in cases {
        let bench = bench(faults.to_vec()).await;
        bench.faulty.decide(take(1, "k", &[0, 1])).await.unwrap();
        let tokens = bench.faults.tokens();
        assert_eq!((tokens.len(), bench.faults.left()), (faults.len() + 1, 0), "{faults:?}");
        assert!(tokens.iter().all(|t| *t == tokens[0] && t.len() <= 36), "{faults:?}");
        let hold = bench.plain.hold(&take(1, "k", &[]).hold).await.unwrap().unwrap();
        assert_eq!((hold.version, hold.places.seats.len()), (1, 2), "{faults:?}");
    }
}

/// B-58: a failed condition is an answer, whatever stands beside it: sent once, never again.
#[tokio::test(flavor = "multi_thread")]
async fn a_failed_condition_is_never_retried() {
    let cases: [&'static [&'static str]; 3] = [
        &["ConditionalCheckFailed", "None", "None", "None"],
        &["ConditionalCheckFailed", "TransactionConflict", "None", "None"],
        &["ConditionalCheckFailed", "None", "ThrottlingError", "None"],
    ];
    for reasons in cases {
        let bench = bench([Fault::Instead(CANCELED, reasons)]).await;
        let answer = bench.faulty.decide(take(1, "k", &[0, 1])).await;
        // Without an old item the seat does not exist.
        assert!(
            matches!(answer, Err(DecideError::Refused(TakeRefusal::SeatUnknown(ref s))) if s.len() == 1),
            "{answer:?}"
        );
        assert_eq!(bench.faults.tokens().len(), 1, "{reasons:?}");
    }
}

/// Taken by another, while our own first reply was lost in a conflict: still the seats that are taken, named.
#[tokio::test(flavor = "multi_thread")]
async fn taken_seats_are_named_after_conflicts() {
    let bench = bench([Fault::Instead(CANCELED, &["TransactionConflict"])]).await;
    bench.plain.decide(take(2, "k", &[1])).await.unwrap();
    let answer = bench.faulty.decide(take(1, "k", &[0, 1, 2])).await;
    let Err(DecideError::Refused(TakeRefusal::SeatsTaken(seats))) = answer else { panic!("{answer:?}") };
    assert_eq!(seats, [shop::line(1).seat]);
    assert_eq!(bench.faults.tokens().len(), 2);
}

/// B-62: a mismatch of tokens is ours, not the fan's: a new token is tried, and conditions tell what was done.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_mismatch_is_no_business_answer() {
    let bench = bench([Fault::LostReply, Fault::Instead("IdempotentParameterMismatchException", &[])]).await;
    let decided = bench.faulty.decide(take(1, "k", &[0])).await.unwrap();
    assert_eq!(decided, Decided::Already);
    let tokens = bench.faults.tokens();
    assert_eq!(tokens.len(), 3);
    assert_ne!(tokens[1], tokens[2]);
}

/// What never passes is given up within the bound, and is told apart from a refusal.
#[tokio::test(flavor = "multi_thread")]
async fn endless_faults_end() {
    let conflict = Fault::Instead(CANCELED, &["TransactionConflict"]);
    let bench1 = bench(vec![conflict; 20]).await;
    let answer = bench1.faulty.decide(take(1, "k", &[0])).await;
    assert!(matches!(answer, Err(DecideError::Table(TableError::Busy("conflict")))), "{answer:?}");
    assert_eq!(bench1.faults.tokens().len(), 8);
    let bench2 = bench(vec![Fault::LostReply; 20]).await;
    let answer = bench2.faulty.decide(take(1, "k", &[0])).await;
    assert!(matches!(answer, Err(DecideError::Table(TableError::Unreachable(_)))), "{answer:?}");
}

/// B-58: mistakes of ours are neither retried nor shown as an answer.
#[tokio::test(flavor = "multi_thread")]
async fn mistakes_are_not_retried() {
    for fault in [
        Fault::Instead("ValidationException", &[]),
        Fault::Instead(CANCELED, &["ValidationError", "TransactionConflict"]),
        Fault::Instead(CANCELED, &["None", "ItemCollectionSizeLimitExceeded"]),
        Fault::Instead(CANCELED, &["DuplicateItem", "ThrottlingError"]),
        Fault::Instead(CANCELED, &["AccessDenied"]),
        Fault::Instead(CANCELED, &["None", "None"]),
        Fault::Instead("AccessDeniedException", &[]),
        Fault::Instead("ResourceNotFoundException", &[]),
    ] {
        let bench = bench([fault.clone()]).await;
        let answer = bench.faulty.decide(take(1, "k", &[0])).await;
        assert!(matches!(answer, Err(DecideError::Table(TableError::Broken(_)))), "{fault:?}: {answer:?}");
        assert_eq!(bench.faults.tokens().len(), 1);
    }
}

/// The same plan may rightly be committed again: each commit is a transaction of its own.
#[tokio::test(flavor = "multi_thread")]
async fn equal_plans_are_checked_anew() {
    use domain::plan::{Cond, Key, Plan, Update, Write};
    let bench = bench([]).await;
    let plan = Plan::new(vec![Write::update(Key::new("X", "Y"), Cond::Always, Update::new().add("n", 1))]);
    bench.plain.commit(&plan).await.unwrap();
    bench.plain.commit(&plan).await.unwrap();
    let item = bench.plain.get(&Key::new("X", "Y")).await.unwrap().unwrap();
    assert_eq!(item["n"].as_i64(), Some(2));
}

/// B-67: a reply that does not come in time is a lost one; the next try finds what it had done.
#[tokio::test(flavor = "multi_thread")]
async fn a_reply_that_never_comes_is_asked_for_again() {
    let bench = bench([]).await;
    let stalled = support::stalling(&bench.endpoint).await;
    let short = aws_sdk_dynamodb::config::timeout::TimeoutConfig::builder()
        .operation_attempt_timeout(std::time::Duration::from_millis(300))
        .build();
    let config = support::config(&stalled).timeout_config(short).build();
    let table = Table::new(aws_sdk_dynamodb::Client::from_conf(config), bench.plain.name());
    let begun = std::time::Instant::now();
    table.decide(take(1, "k", &[0, 1])).await.unwrap();
    assert!(begun.elapsed() < std::time::Duration::from_secs(3), "one short wait, then another try");
    let hold = bench.plain.hold(&take(1, "k", &[]).hold).await.unwrap().unwrap();
    assert_eq!((hold.version, hold.places.seats.len()), (1, 2));
}
