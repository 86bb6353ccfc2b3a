//! The report of a small on-sale, beside the books, the draw and what the fans themselves saw.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::items::Movement;
use domain::report::Missing;
use onsale::audit::Books;
use onsale::on_sale::close;
use onsale::rehearse::{Script, rehearse};
use onsale::report::{Sources, Told, gather, page, summary};
use tests::Scene;
use tests::scene::now;

fn sources(scene: &Scene, event: &str, key: &str) -> anyhow::Result<Sources> {
    Ok(Sources {
        edge: scene.stack.edge_url().to_owned(),
        event: event.parse()?,
        key: key.to_owned(),
        table: scene.stack.table(),
        payments: scene.target.payments.clone(),
        letters: Some(scene.stack.state().join("dead-letters")),
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn the_report_tells_what_books_draw_and_fans_tell() -> anyhow::Result<()> {
    let scene = Scene::open(30, Duration::from_secs(6)).await?;
    let seen = rehearse(&scene.target, &Script::brisk(60, 7)).await?;
    assert!(seen.invariants_ok, "{seen:?}");
    let own = sources(&scene, "rehearsal", scene.operator_key())?;
    let during = gather(&own, now()).await?;
    assert!(!during.report.finished);
    assert!(page(&during).contains("This on-sale is not finished") && summary(&during).contains("NOT FINISHED"));
    close(scene.stack.edge_url(), scene.operator_key(), "rehearsal").await?;
    scene.status_until("the end", async |status| status.phase == "closed").await?;
    let told = complete(&own, &seen.refusals).await?;
    let books = scene.books().await?;
    println!("{}{:#?}", summary(&told), told.report.missing);
    as_the_books_are(&told, &books);
    as_the_line_was(&told, &scene).await?;
    names_nobody(&told, &books)?;
    Ok(())
}

/// The report, once the draw's secret is published and all refusals that fans met are counted: what an isolate still counts for
/// itself is handed on with a read after some seconds, and a closed line's beat, which brings it to the Pacer, comes twice a minute.
async fn complete(own: &Sources, met: &BTreeMap<String, u32>) -> anyhow::Result<Told> {
    let end = now().plus(60_000);
    loop {
        let told = gather(own, now()).await?;
        let counted = |code: &str| told.report.tally.refused.get(code).copied().unwrap_or_default();
        let published = told.draws.iter().all(|draw| !draw.says.contains("so far"));
        if published && met.iter().all(|(code, met)| counted(code) >= u64::from(*met)) {
            return Ok(told);
        }
        anyhow::ensure!(now() < end, "fans met {met:?}: {:?}, {:?}", told.report.tally, told.draws);
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
}

fn as_the_books_are(told: &Told, books: &Books) {
    let sum = |movement| {
        let lines = books.ledger.values().flatten().filter(|line| line.movement == movement);
        lines.map(|line| line.amount_minor).sum::<i64>()
    };
    let [money] = told.report.money.as_slice() else { panic!("one currency: {:?}", told.report.money) };
    assert_eq!(
        (
            money.currency.as_str(),
            money.authorized_minor,
            money.captured_minor,
            money.voided_minor,
            money.refunded_minor
        ),
        ("EUR", sum(Movement::Authorization), sum(Movement::Capture), sum(Movement::Void), sum(Movement::Refund))
    );
    let kept: i64 =
        books.payments.iter().map(|payment| payment.received_minor - payment.refunded_minor.unwrap_or_default()).sum();
    assert_eq!((money.net_minor, money.open_minor), (kept, 0), "what the provider has, and nothing under way");
    assert_eq!(money.price_minor, 10 * money.fees_minor, "40 and 4 a seat");
    let sales = &told.report.sales;
    let tickets = books.tickets.len() as u64;
    assert_eq!(
        (sales.places - sales.given_back, sales.places),
        (tickets, sales.bins.iter().map(|bin| bin.places).sum())
    );
    let flows: i64 = sales
        .bins
        .iter()
        .chain([&sales.before, &sales.after])
        .flat_map(|bin| bin.money.values())
        .map(|flow| flow.captured_minor)
        .sum();
    assert_eq!(flows, money.captured_minor, "every capture has its time");
    assert!(told.report.trouble.findings.is_empty() && told.report.trouble.dead_letters == Some(0));
}

async fn as_the_line_was(told: &Told, scene: &Scene) -> anyhow::Result<()> {
    let (report, status) = (&told.report, scene.api().status().await?);
    assert!(report.finished);
    assert_eq!(report.missing, [] as [Missing; 0]);
    let of = report.admission.totals;
    assert_eq!((of.joined, of.admitted), (60, status.admitted), "{of:?}");
    assert_eq!(report.admission.steps.iter().map(|step| step.admitted).sum::<u64>(), of.admitted);
    assert_eq!((report.waits.people, report.waits.unknown), (of.admitted, 0));
    assert!(report.waits.p50_ms <= report.waits.p99_ms && report.waits.max_ms > 0, "{:?}", report.waits);
    let last = report.admission.steps.last().expect("a step");
    assert_eq!(last.stock, [0, 0, 0, 30], "sold out");
    let [draw] = told.draws.as_slice() else { panic!("one line: {:?}", told.draws) };
    assert!(draw.holds && draw.places == 60 && draw.says.starts_with("drawn by the organiser"), "{draw:?}");
    Ok(())
}

/// Nor does the file load anything.
fn names_nobody(told: &Told, books: &Books) -> anyhow::Result<()> {
    let (html, json) = (page(told), serde_json::to_string(told)?);
    std::fs::write(concat!(env!("CARGO_TARGET_TMPDIR"), "/report.html"), &html)?;
    for order in books.orders.values() {
        let mut words =
            vec![order.id.to_string(), order.account.to_string(), order.hold.to_string(), order.method.clone()];
        words.extend(order.intent.clone().into_iter().chain(order.card.clone()));
        words.extend(order.places.seats.iter().map(|line| line.seat.to_string()));
        for word in words {
            assert!(!html.contains(&word) && !json.contains(&word), "{word}");
        }
    }
    let bare = html.replace("http://www.w3.org/2000/svg", "");
    for word in ["http:", "https:", "src=", "<script", "@import", "url("] {
        assert!(!bare.contains(word), "{word}");
    }
    assert_eq!((html.matches("<svg").count(), html.matches("aria-label").count()), (5, 5));
    assert_eq!(html.matches("<details>").count(), 4, "the figures of every chart stand in a table");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_there_is_no_report_of_is_refused_by_name() -> anyhow::Result<()> {
    let scene = Scene::open(2, Duration::from_secs(60)).await?;
    for (event, key, code) in
        [("nowhere", scene.operator_key(), "NOT_FOUND"), ("rehearsal", "no operator's key at all", "OPERATOR_REQUIRED")]
    {
        let refused = gather(&sources(&scene, event, key)?, now()).await.expect_err("there is no report");
        assert!(refused.to_string().contains(code), "{refused:#}");
    }
    scene.status_until("the first beat", async |_| true).await?;
    let empty = gather(&sources(&scene, "rehearsal", scene.operator_key())?, now()).await?;
    assert_eq!((empty.report.sales.orders, empty.report.waits.people, empty.report.finished), (0, 0, false));
    assert!(page(&empty).contains("No money moved."));
    Ok(())
}
