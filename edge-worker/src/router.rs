//! Every route of the edge, in one table.

use worker::{Method, Response};

use crate::answer::Answer;
use crate::call::{Call, event_id};
use crate::door::mail;
use crate::problem::{Code, Problem};
use crate::routes::{
    account, admission, booking, draw, event, layout, line, operator, pages, papers, proof, provider, registration,
    rights, scriptless, search, seatmap, session, sign_in, status,
};

/// Answers a request.
pub async fn route(call: &mut Call) -> Answer {
    call.check_origin()?;
    let path = call.url.path().to_owned();
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    match segments.as_slice() {
        ["v1", "events"] | ["v1", "search", ..] => index(call, segments.get(1..).unwrap_or_default()).await,
        ["v1", "events", id, rest @ ..] => fan(call, id, rest).await,
        ["v1", "operator", "events", id, rest @ ..] => operator::answer(call, &event_id(id)?, rest).await,
        ["v1", "dev", "sign-in"] => match call.request.method() {
            Method::Post => sign_in::sign_in(call).await,
            _ => Err(Code::MethodNotAllowed.into()),
        },
        ["v1", "orders" | "account", ..] => accounts(call, segments.get(1..).unwrap_or_default()).await,
        ["v1", "session", rest @ ..] => sessions(call, rest).await,
        ["v1", "provider", "events"] => provider::event(call).await,
        ["v1", "ping"] => Ok(Response::ok("pong")?),
        ["robots.txt" | "sitemap.xml"] | ["sitemap", _] => machines(call, &segments).await,
        ["e", id, "plain"] => scriptless::answer(call, &event_id(id)?).await,
        _ => pages::page(call, &segments).await,
    }
}

async fn machines(call: &Call, path: &[&str]) -> Answer {
    match path {
        _ if !call.is_read() => Err(Code::MethodNotAllowed.into()),
        ["robots.txt"] => search::robots(call),
        ["sitemap", name] => search::part(call, name).await,
        _ => search::map(call).await,
    }
}

async fn index(call: &mut Call, rest: &[&str]) -> Answer {
    match (call.request.method(), rest) {
        (Method::Get | Method::Head, ["events"]) => search::list(call).await,
        (Method::Post, ["search", "events"]) => search::fill(call).await,
        (Method::Post, ["search", "generations"]) => search::begin(call).await,
        (Method::Post, ["search", "generations", number]) => search::switch(call, number).await,
        _ => Err(Code::NotFound.into()),
    }
}

async fn sessions(call: &mut Call, rest: &[&str]) -> Answer {
    match (call.request.method(), rest) {
        (Method::Post, []) => session::create(call).await,
        (Method::Delete, []) => session::end(call).await,
        (Method::Get, ["start"]) => session::start(call).await,
        (Method::Get, ["callback"]) => session::callback(call).await,
        _ => Err(Code::NotFound.into()),
    }
}

async fn accounts(call: &mut Call, rest: &[&str]) -> Answer {
    match (call.request.method(), rest) {
        (Method::Get, ["orders"]) => account::orders(call).await,
        (Method::Get, ["account"]) => rights::export(call).await,
        (Method::Delete, ["account"]) => rights::erase(call).await,
        (_, [_]) => Err(Code::MethodNotAllowed.into()),
        _ => Err(Code::NotFound.into()),
    }
}

async fn fan(call: &mut Call, id: &str, rest: &[&str]) -> Answer {
    let event = event_id(id)?;
    match (call.request.method(), rest) {
        (Method::Get | Method::Head, []) => event::detail(call, &event).await,
        (Method::Get | Method::Head, ["status.json"]) => status::file(call, &event).await,
        (Method::Post, ["line"]) => line::join(call, &event).await,
        (Method::Post, ["door", "mail"]) => mail::send(call, &event).await,
        (Method::Get, ["line"]) => line::look_up(call, &event).await,
        (Method::Get, ["line", "proof"]) => proof::proof(call, &event).await,
        (Method::Get | Method::Head, ["draw", "seal.json"]) => draw::seal(call, &event).await,
        (Method::Get | Method::Head, ["draw", file]) => draw::file(call, &event, file).await,
        (Method::Get | Method::Head, ["lanes", lane, "draw", file]) => draw::of_lane(call, &event, lane, file).await,
        (Method::Post, ["registration"]) => registration::register(call, &event).await,
        (Method::Get, ["registration"]) => registration::look_up(call, &event).await,
        (Method::Delete, ["registration"]) => {
            call.ignore_body().await?;
            registration::withdraw(call, &event).await
        }
        (Method::Post, ["admission"]) => admission::claim(call, &event).await,
        (Method::Get | Method::Head, ["layout"]) => layout::layout(call, &event).await,
        (Method::Get | Method::Head, ["seatmap"]) => seatmap::seatmap(call, &event).await,
        (Method::Get | Method::Head, ["seatmap", "counts"]) => seatmap::counts(call, &event).await,
        (Method::Get, ["orders", order, file @ ("tickets.html" | "tickets.pdf" | "tickets.ics")]) => {
            papers::show(call, &event, order, file).await
        }
        (method, path) => match booking::rule(&method, path) {
            Some(rule) => booking::forward(call, &event, rule).await,
            None => Err(Problem::from(Code::NotFound)),
        },
    }
}
