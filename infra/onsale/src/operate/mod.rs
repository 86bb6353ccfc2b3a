//! The operator's API as a program sees it: one event, one key.

use domain::operate::{Broken, Head, verify};
use domain::report::Mark;
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};

/// What went wrong with an operator's call.
#[derive(Debug, thiserror::Error)]
pub enum OperateError {
    /// The edge refused: code, and in words why.
    #[error("refused ({code}): {why}")]
    Refused {
        /// The stable code, with the reason of a refused command.
        code: String,
        /// The problem's detail, or its title.
        why: String,
    },
    /// No usable answer.
    #[error("the edge does not answer")]
    Silent(#[from] reqwest::Error),
    /// The journal is not what was written.
    #[error("the journal is broken: {0}")]
    Journal(#[from] Broken),
}

/// Where one event is operated. `Debug` is left out on purpose: it carries a key.
pub struct Desk {
    http: reqwest::Client,
    url: String,
    key: String,
}

impl Desk {
    /// The desk of `event` at an edge, for whoever has this key.
    pub fn new(edge: &str, event: &str, key: &str) -> Self {
        let url = format!("{}/v1/operator/events/{event}", edge.trim_end_matches('/'));
        Self { http: reqwest::Client::new(), url, key: key.to_owned() }
    }

    /// The on-sale, live.
    ///
    /// # Errors
    /// [`OperateError`], as for all calls here.
    pub async fn look(&self) -> Result<Value, OperateError> {
        Ok(accepted(self.call(Method::GET, "")).await?.json().await?)
    }

    /// A command: its route, for instance `pause`, and its particulars.
    ///
    /// # Errors
    /// [`OperateError`].
    pub async fn order(&self, command: &str, body: &Value) -> Result<Value, OperateError> {
        Ok(accepted(self.call(Method::POST, &format!("/{command}")).json(body)).await?.json().await?)
    }

    /// What is blocked, kept for the house and assigned to channels.
    ///
    /// # Errors
    /// [`OperateError`].
    pub async fn seats(&self) -> Result<Value, OperateError> {
        Ok(accepted(self.call(Method::GET, "/seats")).await?.json().await?)
    }

    /// The whole journal, line by line, checked, and its head.
    ///
    /// # Errors
    /// [`OperateError`]; [`OperateError::Journal`] if a line was changed, taken out or put in.
    pub async fn journal(&self) -> Result<(Vec<String>, Head), OperateError> {
        let (mut lines, mut head): (Vec<String>, _) = (Vec::new(), Head::default());
        loop {
            let path = format!("/log?after={}", head.n);
            let text = accepted(self.call(Method::GET, &path)).await?.text().await?;
            if text.is_empty() {
                return Ok((lines, head));
            }
            head = verify(head, text.lines())?;
            lines.extend(text.lines().map(str::to_owned));
        }
    }

    /// How the line moved, mark by mark.
    ///
    /// # Errors
    /// [`OperateError`].
    pub async fn course(&self) -> Result<Vec<Mark>, OperateError> {
        let mut marks: Vec<Mark> = Vec::new();
        loop {
            let path = format!("/course?after={}", marks.last().map_or(0, |mark| mark.at.0));
            let text = accepted(self.call(Method::GET, &path)).await?.text().await?;
            let more: Vec<Mark> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
            if more.is_empty() {
                return Ok(marks);
            }
            marks.extend(more);
        }
    }

    /// The operators.
    ///
    /// # Errors
    /// [`OperateError`].
    pub async fn operators(&self) -> Result<Value, OperateError> {
        Ok(accepted(self.call(Method::GET, "/operators")).await?.json().await?)
    }

    /// Names an operator, or gives one a new key; the answer shows it, once.
    ///
    /// # Errors
    /// [`OperateError`].
    pub async fn add(&self, name: &str, role: &str) -> Result<Value, OperateError> {
        let put = self.call(Method::PUT, &format!("/operators/{name}")).json(&json!({ "role": role }));
        Ok(accepted(put).await?.json().await?)
    }

    /// Withdraws an operator's key.
    ///
    /// # Errors
    /// [`OperateError`].
    pub async fn remove(&self, name: &str) -> Result<Value, OperateError> {
        Ok(accepted(self.call(Method::DELETE, &format!("/operators/{name}"))).await?.json().await?)
    }

    fn call(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.url)).bearer_auth(&self.key)
    }
}

async fn accepted(request: RequestBuilder) -> Result<Response, OperateError> {
    let answer = request.send().await?;
    if answer.status().is_success() {
        return Ok(answer);
    }
    let (status, problem) = (answer.status(), answer.json().await.unwrap_or(Value::Null));
    let text = |field: &str| problem[field].as_str().map(str::to_owned);
    let code = text("reason").or_else(|| text("code")).unwrap_or_else(|| status.to_string());
    let findings = problem.get("findings").map(Value::to_string);
    let why = findings.or_else(|| text("detail")).or_else(|| text("title")).unwrap_or_default();
    Err(OperateError::Refused { code, why })
}
