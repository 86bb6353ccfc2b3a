//! Documents of an order: opened by a link for a quarter of an hour, and by nothing else.

use anyhow::{Context as _, Result};
use checkout::wall_now;
use domain::ids::{AccountId, OrderId};
use domain::time::WallMs;
use domain::token::{DocumentToken, Token as _};
use serde_json::Value;

use crate::after_sale::buys;
use crate::bench::{Bench, Fan};

const SHOW: &str =
    "[show]\nstarts_at = \"2027-06-12T20:00\"\nentrance = \"Main gate\"\n[show.entrances]\nfloor = \"North\"\n";

async fn order(bench: &Bench, fan: &Fan) -> Result<(OrderId, Value)> {
    let (_, orders) = bench.call(fan, "GET", "orders", None).await?;
    let id: OrderId = orders["orders"][0]["order"].as_str().context("an order")?.parse()?;
    Ok((id, bench.call(fan, "GET", &format!("orders/{id}"), None).await?.1))
}

/// The path of a link below the event.
fn path<'a>(bench: &Bench, link: &'a Value) -> Result<&'a str> {
    let link = link.as_str().context("a link")?;
    link.strip_prefix(&format!("/v1/events/{}/", bench.event)).context("a path of this event")
}

#[tokio::test]
async fn links_open_the_documents_of_a_sold_order() -> Result<()> {
    let bench = Bench::with(1, 10, SHOW).await?;
    let ada = bench.fan("ada");
    assert_eq!(buys(&bench, &ada, "A-1-1").await?, 201);
    let (_, order) = order(&bench, &ada).await?;
    assert_eq!(order["tickets"][0]["entrance"], "Main gate");
    let payload = order["tickets"][0]["payload"].as_str().context("a payload")?;
    let fetch = async |kind: &str| bench.fetch(path(&bench, &order["documents"][kind])?).await;
    let (status, kind, page) = fetch("page").await?;
    let page = String::from_utf8(page)?;
    assert_eq!((status, kind.as_str()), (200, "text/html; charset=utf-8"));
    assert!(page.contains("Main gate") && page.contains("A-1-1") && page.contains("<svg"), "{page}");
    let (status, kind, pdf) = fetch("pdf").await?;
    assert_eq!((status, kind.as_str(), &pdf[..5]), (200, "application/pdf", &b"%PDF-"[..]));
    let (status, kind, calendar) = fetch("calendar").await?;
    assert_eq!((status, kind.as_str()), (200, "text/calendar; charset=utf-8"));
    assert!(String::from_utf8(calendar)?.contains("DTSTART:20270612T180000Z"));
    assert!(payload.starts_with("ONSALE1."));
    Ok(())
}

#[tokio::test]
async fn a_show_whose_start_nobody_told_has_no_calendar_file() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let ada = bench.fan("ada");
    assert_eq!(buys(&bench, &ada, "A-1-1").await?, 201);
    let (_, order) = order(&bench, &ada).await?;
    assert!(order["documents"]["calendar"].is_null() && order["documents"]["page"].is_string(), "{order}");
    let path = path(&bench, &order["documents"]["pdf"])?.replace("tickets.pdf", "tickets.ics");
    assert_eq!(bench.fetch(&path).await?.0, 404);
    Ok(())
}

/// A link of an order, as the function makes it but for what a test wants otherwise.
fn link(bench: &Bench, path_of: OrderId, token: DocumentToken) -> String {
    format!("orders/{path_of}/tickets.pdf?link={}", token.encode(&bench.app.keys, &bench.event))
}

#[tokio::test]
async fn every_other_link_has_ended() -> Result<()> {
    let bench = Bench::with(1, 10, SHOW).await?;
    let (ada, bo) = (bench.fan("ada"), bench.fan("bo"));
    assert_eq!(buys(&bench, &ada, "A-1-1").await?, 201);
    assert_eq!(buys(&bench, &bo, "A-1-3").await?, 201);
    let ((of_ada, order), (of_bo, _)) = (order(&bench, &ada).await?, order(&bench, &bo).await?);
    let good = path(&bench, &order["documents"]["pdf"])?.to_owned();
    let token = DocumentToken::issue(ada.account, of_ada, 0, wall_now());
    assert_eq!(bench.fetch(&link(&bench, of_ada, token)).await?.0, 200, "the twin: a token like these, and good");
    let past = DocumentToken { expires: WallMs(wall_now().0 - 1), ..token };
    let stranger = DocumentToken { account: AccountId::derive("bench", "bo"), ..token };
    let cut = good[..good.len() - 1].to_owned();
    let elsewhere = token.encode(&bench.app.keys, &"elsewhere".parse()?);
    let bad = [
        ("none", format!("orders/{of_ada}/tickets.pdf")),
        ("empty", format!("orders/{of_ada}/tickets.pdf?link=")),
        ("cut", cut),
        ("an access token", format!("orders/{of_ada}/tickets.pdf?link={}", ada.token)),
        ("of another event", format!("orders/{of_ada}/tickets.pdf?link={elsewhere}")),
        ("of another order", link(&bench, of_bo, token)),
        ("over", link(&bench, of_ada, past)),
        ("somebody else's", link(&bench, of_ada, stranger)),
        ("an order that is none", link(&bench, OrderId::from_bytes([3; 16]), token)),
    ];
    for (what, path) in bad {
        let (status, kind, body) = bench.fetch(&path).await?;
        assert_eq!((status, kind.as_str()), (410, "application/problem+json"), "{what}");
        assert_eq!(serde_json::from_slice::<Value>(&body)?["code"], "LINK_ENDED", "{what}");
    }
    assert_eq!(bench.fetch(&good).await?.0, 200, "nothing was changed by them");
    Ok(())
}

#[tokio::test]
async fn links_end_when_tokens_are_revoked_and_when_the_order_goes_back() -> Result<()> {
    let bench = Bench::with(1, 10, SHOW).await?;
    let ada = bench.fan("ada");
    assert_eq!(buys(&bench, &ada, "A-1-1").await?, 201);
    let (id, order) = order(&bench, &ada).await?;
    let old = path(&bench, &order["documents"]["page"])?.to_owned();
    bench.revoke(1).await?;
    assert_eq!(bench.fetch(&old).await?.0, 410, "made before all tokens were revoked");
    let new = link(&bench, id, DocumentToken::issue(ada.account, id, 1, wall_now()));
    assert_eq!(bench.fetch(&new).await?.0, 200);
    let again = bench.fan_of(ada.account, 1, domain::time::EventMs(i64::MAX / 2));
    assert_eq!(bench.call(&again, "POST", &format!("orders/{id}/cancellation"), None).await?.0, 202);
    bench.checkout.advance(&id, &bench.terms().await?).await?;
    assert_eq!(bench.fetch(&new).await?.0, 410, "the tickets are void");
    Ok(())
}

/// B-77: whoever has an order knows nothing of any other. Each neighbour of its id, and of a hold's, is the same "no such thing" as somebody
/// else's, and each neighbour of a link has ended.
#[tokio::test]
async fn neighbours_of_an_order_are_answered_like_none() -> Result<()> {
    let bench = Bench::with(1, 10, SHOW).await?;
    let (ada, bo) = (bench.fan("ada"), bench.fan("bo"));
    assert_eq!(buys(&bench, &ada, "A-1-1").await?, 201);
    assert_eq!(buys(&bench, &bo, "A-1-3").await?, 201);
    let ((of_ada, shown), (of_bo, _)) = (order(&bench, &ada).await?, order(&bench, &bo).await?);
    let hold = bench.hold(&bo, &["A-1-4"]).await?;
    let get = async |path: String| bench.call(&ada, "GET", &path, None).await;
    let none = get(format!("orders/{of_bo}")).await?;
    assert_eq!((none.0, get(format!("orders/{of_ada}")).await?.0), (404, 200));
    for at in 0..16 {
        let mut id = *of_ada.as_bytes();
        id[at] = id[at].wrapping_add(1);
        let id = OrderId::from_bytes(id);
        assert_eq!(get(format!("orders/{id}")).await?, none, "byte {at}");
        let back = bench.call(&ada, "POST", &format!("orders/{id}/cancellation"), None).await?;
        assert_eq!(back, none, "byte {at}");
    }
    let foreign = get(format!("holds/{hold}")).await?;
    assert_eq!((foreign.0, foreign), (404, get(format!("holds/{of_ada}")).await?));
    let good = path(&bench, &shown["documents"]["pdf"])?;
    let (before, token) = good.split_once("link=").context("a link")?;
    for at in 0..token.len() - 1 {
        let other = if token.as_bytes()[at] == b'A' { 'B' } else { 'A' };
        let bent = format!("{before}link={}{other}{}", &token[..at], &token[at + 1..]);
        assert_eq!(bench.fetch(&bent).await?.0, 410, "letter {at}");
    }
    assert_eq!(bench.fetch(good).await?.0, 200);
    Ok(())
}

/// B-78: a ticket is nobody's by its address alone, and by no link any more once it was given back, while the one of a part that is left
/// shows what is left.
#[tokio::test]
async fn a_given_back_seat_is_in_no_document_any_more() -> Result<()> {
    let bench = Bench::with(1, 10, SHOW).await?;
    let ada = bench.fan("ada");
    let hold = bench.hold(&ada, &["A-1-1", "A-1-2"]).await?;
    let wish = serde_json::json!({"hold": hold, "paymentMethod": "pm_card_visa"});
    assert_eq!(bench.call_under("o", &ada, "POST", "orders", Some(&wish)).await?.0, 201);
    let (id, shown) = order(&bench, &ada).await?;
    bench.checkout.advance(&id, &bench.terms().await?).await?;
    let page = path(&bench, &shown["documents"]["page"])?;
    let text = async || anyhow::Ok(String::from_utf8(bench.fetch(page).await?.2)?);
    let bare = page.split_once('?').context("a link")?.0;
    assert_eq!((bench.fetch(bare).await?.0, bench.fetch(page).await?.0), (410, 200), "the twin: the link opens it");
    assert!(text().await?.contains("A-1-1") && text().await?.contains("A-1-2"));
    let part = serde_json::json!({"seats": ["A-1-1"]});
    assert_eq!(bench.call(&ada, "POST", &format!("orders/{id}/cancellation"), Some(&part)).await?.0, 202);
    bench.checkout.advance(&id, &bench.terms().await?).await?;
    assert!(!text().await?.contains("A-1-1") && text().await?.contains("A-1-2"), "what is left");
    assert_eq!(bench.call(&ada, "POST", &format!("orders/{id}/cancellation"), None).await?.0, 202);
    bench.checkout.advance(&id, &bench.terms().await?).await?;
    assert_eq!(bench.fetch(page).await?.0, 410, "nothing is left");
    Ok(())
}
