//! `POST /v1/search/…`: events from the home region into the index, and filling it anew. Each call is signed.

use domain::search::{self, Arg, Batch, Doc, Statement, verify};
use serde_json::json;

use crate::answer::{self, Answer};
use crate::call::{Call, OPERATOR_BODY_MAX};
use crate::clock;
use crate::problem::{Code, Problem};
use crate::search::Index;

impl From<search::Refusal> for Problem {
    fn from(refusal: search::Refusal) -> Self {
        let code = match refusal {
            search::Refusal::Settling => Code::SearchSettling,
            search::Refusal::Overtaken => Code::SearchOvertaken,
        };
        Self::because(code, refusal.to_string())
    }
}

/// `/v1/search/events`: writes events that are not known in a higher version already.
pub async fn fill(call: &mut Call) -> Answer {
    let body = signed(call).await?;
    let docs: Vec<Doc> = serde_json::from_slice(&body)?;
    let batch = Batch::new(docs).map_err(|bad| Problem::because(Code::SearchRefused, bad.to_string()))?;
    let value = batch.value();
    let statement = |sql| Statement { sql, args: vec![Arg::Text(value.clone())] };
    let index = Index::of(&call.env)?;
    // Makes the tables where there are none.
    index.live().await?;
    index.run(&search::fill().into_iter().map(statement).collect::<Vec<_>>()).await?;
    answer::json(200, &json!({}))
}

/// `/v1/search/generations`: begins to fill the index anew. → the generation's number.
pub async fn begin(call: &mut Call) -> Answer {
    signed(call).await?;
    let index = Index::of(&call.env)?;
    let (number, statements) = search::begin(&index.generations().await?, clock::now())?;
    let changed = index.run(&statements).await?;
    acted(&changed)?;
    answer::json(200, &json!({ "generation": number }))
}

/// `/v1/search/generations/{number}`: searches this generation from now on.
pub async fn switch(call: &mut Call, number: &str) -> Answer {
    signed(call).await?;
    let number = number.parse().map_err(|_| Code::NotFound)?;
    let index = Index::of(&call.env)?;
    let statements = search::switch(&index.generations().await?, number, clock::now())?;
    acted(&index.run(&statements).await?)?;
    answer::json(200, &json!({}))
}

/// Somebody else may have begun or switched since the look.
fn acted(changed: &[usize]) -> Result<(), Problem> {
    if changed.first().is_some_and(|rows| *rows > 0) { Ok(()) } else { Err(search::Refusal::Overtaken.into()) }
}

/// The body of a call that may write. Ladder: the length, the signature.
async fn signed(call: &mut Call) -> Result<Vec<u8>, Problem> {
    let body = call.body(OPERATOR_BODY_MAX).await?;
    let header = call.header("X-Onsale-Signature").unwrap_or_default();
    let genuine = verify(&header, call.url.path(), &body, &call.config.keys, clock::now());
    genuine.map(|()| body).map_err(|_| Code::SignatureInvalid.into())
}
