//! The booking function called directly, past the edge, as only the edge's own key may.

use std::time::SystemTime;

use anyhow::Context;
use domain::ids::{AccountId, SessionId};
use domain::keys::MasterKeys;
use domain::plan_import::Imported;
use domain::time::EventMs;
use domain::token::{AccessToken, Token};
use onsale::lambda_host::Signer;
use onsale::stack::{REGION, Stack};
use reqwest::{Method, Response};
use serde_json::Value;

use crate::Scene;

/// A signing client of the function URL.
pub struct Origin {
    url: String,
    event: domain::ids::EventId,
    keys: MasterKeys,
    signer: Signer,
    http: reqwest::Client,
}

impl Origin {
    /// A client of a scene's event.
    pub fn of(scene: &Scene) -> anyhow::Result<Self> {
        Self::at(&scene.stack, &scene.event)
    }

    /// A client of an event of a stack, with the edge's own keys.
    pub fn at(stack: &Stack, event: &Imported) -> anyhow::Result<Self> {
        Ok(Self {
            url: stack.origin_url().to_owned(),
            event: event.definition.id.clone(),
            keys: MasterKeys::parse(stack.master_keys())?,
            signer: Signer::new(&stack.signer_keys(), REGION, "lambda"),
            http: reqwest::Client::new(),
        })
    }

    /// An access token for the `number`-th made-up fan, good for the whole test.
    pub fn access(&self, number: u64) -> String {
        let account = AccountId::derive("test", &number.to_string());
        let session = SessionId::from_bytes(*account.as_bytes());
        let expires = EventMs(i64::MAX / 2);
        AccessToken { account, session, place: number + 1, lane: 0, rev: 0, expires }.encode(&self.keys, &self.event)
    }

    /// Sends a signed request to a path below the event.
    pub async fn send(
        &self,
        method: Method,
        rest: &str,
        access: &str,
        key: &str,
        body: &Value,
    ) -> anyhow::Result<Response> {
        let url = format!("{}/v1/events/{}{rest}", self.url, self.event);
        let body = body.to_string().into_bytes();
        let mut request = self.http.request(method.clone(), &url).header("content-type", "application/json");
        let signed = self.signer.headers(SystemTime::now(), method.as_str(), &url, &[], &body);
        for (name, value) in signed.context("the request can be signed")? {
            request = request.header(name, value);
        }
        let request = request.header("x-access-token", access).header("idempotency-key", key);
        Ok(request.body(body).send().await?)
    }
}
