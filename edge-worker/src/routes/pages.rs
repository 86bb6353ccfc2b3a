//! Pages and their assets. None of them needs a token; client routes get the page that knows them.

use domain::edge_event::Head;
use domain::ids::EventId;
use worker::{Headers, Method, Request, Response};

use crate::answer::Answer;
use crate::cache;
use crate::call::{Call, event_id};
use crate::document::Document;
use crate::problem::{Code, Problem};
use crate::routes::scriptless::escape;

/// The title that the event's own takes the place of.
const PLAIN_TITLE: &str = "<title>Onsale</title>";
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
    if let ["e", event] = segments {
        return event_page(call, &event_id(event)?).await;
    }
    let response = found(fetch(call, &file, call.header("If-None-Match")).await?)?;
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

/// The event's page, with what search engines and previews of links want to know of it. An event that is not there, or a line
/// that does not answer, is told by the page itself.
async fn event_page(call: &Call, event: &EventId) -> Answer {
    let mut response = found(fetch(call, "/event.html", None).await?)?;
    let mut page = response.text().await?;
    if let Ok(view) = cache::view(&call.env, event).await {
        let url = format!("{}/e/{event}", call.url.origin().ascii_serialization());
        page = page.replacen(PLAIN_TITLE, &head(&view.event.head(&url)), 1);
    }
    let page = Document::new(page);
    let known = call.header("If-None-Match").is_some_and(|tags| page.is_known(&tags));
    let headers = Headers::new();
    for (name, value) in [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Security-Policy", policy(call, "/event.html").as_str()),
        ("Referrer-Policy", "same-origin"),
        ("Cache-Control", "no-cache"),
        ("ETag", page.tag.as_str()),
    ] {
        headers.set(name, value)?;
    }
    let response = if known { Response::empty()?.with_status(304) } else { Response::ok(page.text)? };
    Ok(response.with_headers(headers))
}

/// Markup of a head; its texts are strangers'.
fn head(head: &Head) -> String {
    let Head { title, description, url, event_json } = head;
    let [title, description, url] = [title, description, url].map(|text| escape(text));
    format!(
        "<title>{title} · Onsale</title>\n<meta name=\"description\" content=\"{description}\">\n\
         <link rel=\"canonical\" href=\"{url}\">\n<meta property=\"og:title\" content=\"{title}\">\n\
         <meta property=\"og:description\" content=\"{description}\">\n<meta property=\"og:type\" content=\"website\">\n\
         <meta property=\"og:url\" content=\"{url}\">\n\
         <script type=\"application/ld+json\">{event_json}</script>"
    )
}

/// A file that is there.
fn found(response: Response) -> Answer {
    if response.status_code() == 404 { Err(Code::NotFound.into()) } else { Ok(response) }
}

async fn fetch(call: &Call, file: &str, none_match: Option<String>) -> Result<Response, Problem> {
    let mut url = call.url.clone();
    url.set_path(file);
    url.set_query(None);
    let request = Request::new(url.as_str(), Method::Get)?;
    if let Some(tag) = none_match {
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
