//! The provider's list of payments, page by page, as any provider with Stripe's API has it.

use std::time::Duration;

use anyhow::{Context, bail};
use domain::audit::{Code, Finding};
use domain::provider::{self, Intent, Page, Refused};

/// Tries for one page.
const TRIES: u32 = 4;

/// A provider's list of payments. `Debug` is left out on purpose: it carries a key.
#[derive(Clone)]
pub struct Payments {
    http: reqwest::Client,
    url: String,
    key: String,
}

/// All payments that the provider has.
#[derive(Debug, Default)]
pub struct Listed {
    /// Newest first.
    pub intents: Vec<Intent>,
    /// Those that could not be read.
    pub unreadable: Vec<Finding>,
}

impl Payments {
    /// The list of the provider at `url`, read with the secret `key`.
    ///
    /// # Errors
    /// The HTTP client cannot be set up.
    pub fn new(url: &str, key: impl Into<String>) -> anyhow::Result<Self> {
        let http = reqwest::Client::builder().timeout(Duration::from_secs(20)).build()?;
        Ok(Self { http, url: url.trim_end_matches('/').to_owned(), key: key.into() })
    }

    /// The provider at `PROVIDER_URL` with the key in `PROVIDER_KEY`.
    ///
    /// # Errors
    /// A variable is not set.
    pub fn from_env() -> anyhow::Result<Self> {
        let variable = |name: &str| std::env::var(name).with_context(|| format!("{name} is not set"));
        Self::new(&variable("PROVIDER_URL")?, variable("PROVIDER_KEY")?)
    }

    /// Reads all pages.
    ///
    /// # Errors
    /// A page cannot be read, in spite of some tries.
    pub async fn list(&self) -> anyhow::Result<Listed> {
        let mut listed = Listed::default();
        let mut after: Option<String> = None;
        loop {
            let page = self.page(after.as_deref()).await?;
            listed.intents.extend(page.intents);
            let lost =
                |id: &String| Finding::new(Code::Unreadable, format!("payment {id}"), "not as the protocol has it");
            listed.unreadable.extend(page.unreadable.iter().map(lost));
            match page.last.filter(|_| page.has_more) {
                Some(last) if after.as_ref() != Some(&last) => after = Some(last),
                _ => return Ok(listed),
            }
        }
    }

    async fn page(&self, after: Option<&str>) -> anyhow::Result<Page> {
        let request = provider::list(after);
        let url = format!("{}{}", self.url, request.path);
        for n in 1.. {
            let sent = self.http.get(&url).query(&request.form).bearer_auth(&self.key).send().await;
            match read(sent).await {
                Ok(page) => return Ok(page),
                Err(Some(Refused::Busy | Refused::Server(_)) | None) if n < TRIES => {
                    tokio::time::sleep(Duration::from_millis(250 << n)).await;
                }
                Err(Some(refused)) => bail!("the payment provider's list: {refused}"),
                Err(None) => break,
            }
        }
        bail!("the payment provider's list cannot be reached")
    }
}

/// `None`: no reply came.
async fn read(sent: reqwest::Result<reqwest::Response>) -> Result<Page, Option<Refused>> {
    let reply = sent.map_err(|_| None)?;
    let status = reply.status().as_u16();
    let body = reply.bytes().await.map_err(|_| None)?;
    Ok(provider::read_page(status, &body)?)
}
