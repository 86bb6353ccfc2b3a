//! Pages and their assets. None of them needs a token; client routes get the page that knows them.

use worker::{Method, Request, Response};

use crate::answer::Answer;
use crate::call::Call;
use crate::problem::{Code, Problem};

/// What a page may load and where it may be shown: only from and by this site.
const POLICY: &str =
    "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/// The file a path shows; `None` if there is none.
fn file(segments: &[&str]) -> Option<String> {
    match segments {
        [""] => Some("/index.html".into()),
        ["e", _] | ["e", _, "shop"] | ["e", _, "orders", _] => Some("/event.html".into()),
        ["operator", _] => Some("/operator.html".into()),
        ["assets", rest @ ..] => Some(format!("/assets/{}", rest.join("/"))),
        ["favicon.ico"] => Some("/assets/icon.svg".into()),
        _ => None,
    }
}

/// Answers with a file of the pages' folder.
pub async fn page(call: &Call, segments: &[&str]) -> Answer {
    let file = file(segments).ok_or(Code::NotFound)?;
    if !call.is_read() {
        return Err(Code::MethodNotAllowed.into());
    }
    let response = fetch(call, &file).await?;
    if response.status_code() == 404 {
        return Err(Code::NotFound.into());
    }
    let headers = response.headers().clone();
    headers.set("Content-Security-Policy", POLICY)?;
    headers.set("Referrer-Policy", "same-origin")?;
    // Files keep their names over versions: a page must not mix modules of two of them.
    headers.set("Cache-Control", "no-cache")?;
    Ok(response.with_headers(headers))
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
        let cases: [(&[&str], Option<&str>); 6] = [
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
