//! Pages and their assets. None of them needs a token; client routes get the page that knows them.

use domain::ids::EventId;
use worker::{Headers, Method, Request, Response};

use crate::answer::Answer;
use crate::call::{Call, event_id};
use crate::problem::{Code, Problem};

/// What a page may load: only this site's own, and where the site has Turnstile, its script and frame.
const OWN: &str = "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'";
const TURNSTILE: &str =
    "; script-src 'self' https://challenges.cloudflare.com; frame-src https://challenges.cloudflare.com";
/// Where a page may be shown: by this site alone. Only the event's page may stand in another site's frame, where it
/// shows nothing but a link to itself (see `event-page.js`): a blank frame would leave the fan without any help.
const UNFRAMED: &str = "; frame-ancestors 'none'";

fn policy(call: &Call, file: &str) -> String {
    let turnstile = if call.config.turnstile.is_some() { TURNSTILE } else { "" };
    let framed = if file == "/event.html" { "" } else { UNFRAMED };
    format!("{OWN}{turnstile}{framed}")
}

/// The file a path shows; `None` if there is none.
fn file(segments: &[&str]) -> Option<String> {
    match segments {
        [""] => Some("/index.html".into()),
        ["e", _] | ["e", _, "shop" | "check"] | ["e", _, "orders", _] => Some("/event.html".into()),
        ["orders"] => Some("/orders.html".into()),
        ["gate"] => Some("/gate.html".into()),
        // At the root, as it may only serve pages below its own folder.
        ["gate-worker.js"] => Some("/gate-worker.js".into()),
        ["operator", _] => Some("/operator.html".into()),
        ["assets", rest @ ..] => Some(format!("/assets/{}", rest.join("/"))),
        ["favicon.ico"] => Some("/assets/icon.svg".into()),
        _ => None,
    }
}

/// Answers with a file of the pages' folder.
pub async fn page(call: &Call, segments: &[&str]) -> Answer {
    if let (["e", event], Some(_)) = (segments, call.query("plain")) {
        // A page does not know its address without JavaScript; this does.
        return to_plain(event_id(event)?);
    }
    let file = file(segments).ok_or(Code::NotFound)?;
    if !call.is_read() {
        return Err(Code::MethodNotAllowed.into());
    }
    let response = fetch(call, &file).await?;
    if response.status_code() == 404 {
        return Err(Code::NotFound.into());
    }
    let headers = response.headers().clone();
    headers.set("Content-Security-Policy", &policy(call, &file))?;
    headers.set("Referrer-Policy", "same-origin")?;
    // Files keep their names over versions: a page must not mix modules of two of them.
    headers.set("Cache-Control", "no-cache")?;
    Ok(response.with_headers(headers))
}

fn to_plain(event: EventId) -> Answer {
    let headers = Headers::new();
    headers.set("Location", &format!("/e/{event}/plain"))?;
    Ok(Response::empty()?.with_status(303).with_headers(headers))
}

/// A page that was made here.
pub fn html(status: u16, text: &str) -> Answer {
    let headers = Headers::new();
    headers.set("Content-Type", "text/html; charset=utf-8")?;
    headers.set("Content-Security-Policy", &format!("{OWN}{UNFRAMED}"))?;
    headers.set("Referrer-Policy", "same-origin")?;
    headers.set("Cache-Control", "no-store")?;
    Ok(Response::ok(text)?.with_status(status).with_headers(headers))
}

async fn fetch(call: &Call, file: &str) -> Result<Response, Problem> {
    let mut url = call.url.clone();
    url.set_path(file);
    url.set_query(None);
    let request = Request::new(url.as_str(), Method::Get)?;
    if let Some(tag) = call.header("If-None-Match") {
        request.headers().set("If-None-Match", &tag)?;
    }
    Ok(call.env.service("ASSETS")?.fetch_request(request).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn client_routes_get_their_page() {
        let cases: [(&[&str], Option<&str>); 9] = [
            (&["gate"], Some("/gate.html")),
            (&["gate-worker.js"], Some("/gate-worker.js")),
            (&["orders"], Some("/orders.html")),
            (&[""], Some("/index.html")),
            (&["e", "demo", "shop"], Some("/event.html")),
            (&["operator", "demo"], Some("/operator.html")),
            (&["assets", "js", "map.js"], Some("/assets/js/map.js")),
            (&["e", "demo", "nothing"], None),
            (&["v1", "unknown"], None),
        ];
        for (path, want) in cases {
            assert_eq!(file(path).as_deref(), want, "{path:?}");
        }
    }
}
