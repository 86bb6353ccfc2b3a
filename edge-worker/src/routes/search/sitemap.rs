//! What search engines read: `/robots.txt`, `/sitemap.xml` and its parts.
//!
//! Copies are kept without the site's address, which stands in the request: no request can write its own into another's answer.

use domain::search::{self, Entry, Month, Part};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::answer::Answer;
use crate::call::Call;
use crate::clock;
use crate::colo;
use crate::document::Document;
use crate::plain::Plain;
use crate::problem::{Code, Problem};
use crate::routes::scriptless::escape;
use crate::search::Index;
use crate::shelf::Lot;

/// How long a copy is shown before the index is asked again, and while it does not answer, in milliseconds.
const COPY_MS: (i64, i64) = (3_600_000, 86_400_000);
const CACHING: &str = "public, max-age=3600";
const XML: &str = "application/xml";

/// `/robots.txt`.
pub fn robots(call: &Call) -> Answer {
    file(call, "text/plain; charset=utf-8", search::robots(&origin(call)))
}

/// `/sitemap.xml`: the parts that there are.
pub async fn map(call: &Call) -> Answer {
    file(call, XML, search::index_xml(&origin(call), &months(call).await?))
}

/// `/sitemap/{name}`.
pub async fn part(call: &Call, name: &str) -> Answer {
    if name == "pages.xml" {
        return file(call, XML, search::pages_xml(&origin(call)));
    }
    let part = Part::named(name, &months(call).await?).ok_or(Code::NotFound)?;
    let entries: Vec<Entry> = kept(call, name, async |index: &Index| {
        let statement = part.entries(index.live().await?, clock::now()).ok_or(Code::NotFound)?;
        index.rows(&statement).await
    })
    .await?;
    file(call, XML, search::part_xml(&origin(call), &entries))
}

async fn months(call: &Call) -> Result<Vec<Month>, Problem> {
    kept(call, "months", async |index: &Index| {
        let statement = search::months(index.live().await?, clock::now());
        index.rows(&statement).await
    })
    .await
}

/// The copy of this name, or what the index says.
async fn kept<T: Serialize + DeserializeOwned>(
    call: &Call,
    name: &str,
    ask: impl AsyncFnOnce(&Index) -> Result<T, Problem>,
) -> Result<T, Problem> {
    let (due, fresh) = COPY_MS;
    let key = format!("sitemap/{name}");
    let lot = colo::relayed(&call.env, &key, async || {
        let said = ask(&Index::of(&call.env)?).await?;
        let now = clock::now();
        Ok(Lot::new(said, now.plus(due), now.plus(fresh)))
    });
    Ok(lot.await?.value)
}

/// The address of this site, as markup.
fn origin(call: &Call) -> String {
    escape(&call.url.origin().ascii_serialization())
}

fn file(call: &Call, kind: &'static str, text: String) -> Answer {
    Ok(Plain::file(kind, CACHING, &Document::new(text), call.header("If-None-Match").as_deref()).response()?)
}
