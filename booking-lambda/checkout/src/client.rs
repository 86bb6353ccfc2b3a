//! The provider's client: sends `domain::provider` requests, patiently but not for ever.
//!
//! A lost reply is asked for again under the same key, so that nothing happens twice. After a second
//! server error the next key is used, because the provider replays errors under the first one; why
//! that is safe is told in `domain::provider`.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::items::Order;
use domain::order::back_minor;
use domain::provider::{self, Intent, Page, PaymentMethod, Refused, Request, Verb};

/// A secret that shows itself to nobody.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// How long to wait, and how often to try.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For one reply.
    pub attempt: Duration,
    /// For all tries of one request together; no try begins after it.
    pub whole: Duration,
    /// Before the second try; doubled before each further one.
    pub pause: Duration,
    /// Most tries.
    pub tries: u32,
}

impl Patience {
    /// While a fan waits: 2 s a reply, 4 s in all.
    pub const FAN: Self = Self::of(2_000, 4_000);
    /// In the background: 10 s a reply, 20 s in all.
    pub const BACKGROUND: Self = Self::of(10_000, 20_000);

    const fn of(attempt_ms: u64, whole_ms: u64) -> Self {
        let pause = Duration::from_millis(50);
        Self { attempt: Duration::from_millis(attempt_ms), whole: Duration::from_millis(whole_ms), pause, tries: 6 }
    }
}

/// Why the provider gave no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// It refused, and would again.
    #[error(transparent)]
    Refused(Refused),
    /// No usable reply in time. Whether anything happened is not known: ask again later.
    #[error("no usable reply from the payment provider in time")]
    Unknown,
}

/// A client of one provider account.
#[derive(Clone, Debug)]
pub struct Provider {
    http: reqwest::Client,
    url: String,
    key: Secret,
    patience: Patience,
    terms: Arc<ProviderTerms>,
}

/// What the provider is told about this deployment.
#[derive(Clone, Debug)]
pub struct ProviderTerms {
    /// The address of our pages, without a slash at its end: banks send fans back there.
    pub pages: String,
    /// The kinds of payment methods that are taken, see [`provider::kinds`].
    pub kinds: Vec<String>,
}

/// A status and a body.
type Reply = (u16, Vec<u8>);

impl Provider {
    /// A client for the provider at `url` (without a trailing slash), with our secret key.
    ///
    /// # Errors
    /// The HTTP client cannot be set up.
    pub fn new(url: &str, key: Secret, patience: Patience, terms: ProviderTerms) -> Result<Self, reqwest::Error> {
        let http =
            reqwest::Client::builder().timeout(patience.attempt).redirect(reqwest::redirect::Policy::none()).build()?;
        Ok(Self { http, url: url.trim_end_matches('/').to_owned(), key, patience, terms: Arc::new(terms) })
    }

    /// Makes the order's intent; nothing is set aside before [`Self::confirm`].
    ///
    /// # Errors
    /// See [`ProviderError`].
    pub async fn create(&self, order: &Order, method: &PaymentMethod) -> Result<Intent, ProviderError> {
        self.intent(provider::create(order, method, &self.terms.kinds)).await
    }

    /// Asks the card; answers where the intent stands, also when it stood there already.
    ///
    /// # Errors
    /// See [`ProviderError`].
    pub async fn confirm(&self, order: &Order, intent: &str) -> Result<Intent, ProviderError> {
        self.intent_or_standing(provider::confirm(order, intent, &self.terms.pages), intent).await
    }

    /// Takes the money; answers where the intent stands.
    ///
    /// # Errors
    /// See [`ProviderError`].
    pub async fn capture(&self, order: &Order, intent: &str) -> Result<Intent, ProviderError> {
        self.intent_or_standing(provider::capture(order, intent), intent).await
    }

    /// Ends the intent; answers where it stands, which may be captured.
    ///
    /// # Errors
    /// See [`ProviderError`].
    pub async fn cancel(&self, order: &Order, intent: &str) -> Result<Intent, ProviderError> {
        self.intent_or_standing(provider::cancel(order, intent), intent).await
    }

    /// Gives everything back; fine if it was given back before.
    ///
    /// # Errors
    /// See [`ProviderError`].
    pub async fn refund(&self, order: &Order, intent: &str) -> Result<(), ProviderError> {
        self.given_back(provider::refund(order, intent)).await
    }

    /// Gives the value of the order's `back` seats back; fine if all was given back before.
    ///
    /// # Errors
    /// See [`ProviderError`].
    pub async fn refund_part(&self, order: &Order, intent: &str) -> Result<(), ProviderError> {
        self.given_back(provider::refund_part(order, intent, back_minor(order), order.parts + 1)).await
    }

    async fn given_back(&self, request: Request) -> Result<(), ProviderError> {
        match self.ask(request, provider::read_refund).await {
            Ok(_) | Err(ProviderError::Refused(Refused::Refunded)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Where an intent stands.
    ///
    /// # Errors
    /// See [`ProviderError`].
    pub async fn retrieve(&self, intent: &str) -> Result<Intent, ProviderError> {
        self.intent(provider::retrieve(intent)).await
    }

    /// The page of the list of all intents that begins after this one.
    ///
    /// # Errors
    /// See [`ProviderError`].
    pub async fn list(&self, after: Option<&str>) -> Result<Page, ProviderError> {
        self.ask(provider::list(after), provider::read_page).await
    }

    async fn intent(&self, request: Request) -> Result<Intent, ProviderError> {
        self.ask(request, provider::read_intent).await
    }

    async fn intent_or_standing(&self, request: Request, id: &str) -> Result<Intent, ProviderError> {
        match self.intent(request).await {
            Err(ProviderError::Refused(Refused::State(Some(standing)))) => Ok(*standing),
            Err(ProviderError::Refused(Refused::State(None))) => self.retrieve(id).await,
            other => other,
        }
    }

    async fn ask<T>(
        &self,
        mut request: Request,
        read: fn(u16, &[u8]) -> Result<T, Refused>,
    ) -> Result<T, ProviderError> {
        let begun = Instant::now();
        let mut failures = 0;
        for attempt in 0..self.patience.tries {
            match self.send(&request).await.map(|(status, body)| read(status, &body)) {
                Some(Ok(value)) => return Ok(value),
                Some(Err(Refused::Server(_))) => {
                    failures += 1;
                    request = if failures >= 2 { request.under_next_key() } else { request };
                }
                None | Some(Err(Refused::KeyInUse | Refused::Busy)) => {}
                Some(Err(refused)) => return Err(ProviderError::Refused(refused)),
            }
            let pause = self.patience.pause * 2_u32.pow(attempt);
            if begun.elapsed() + pause >= self.patience.whole {
                break;
            }
            tokio::time::sleep(pause).await;
        }
        Err(ProviderError::Unknown)
    }

    /// One try. `None`: the reply was lost, or never came.
    async fn send(&self, request: &Request) -> Option<Reply> {
        let url = format!("{}{}", self.url, request.path);
        let builder = match request.verb {
            Verb::Get => self.http.get(url).query(&request.form),
            Verb::Post => self.http.post(url).form(&request.form),
        };
        let builder = match &request.key {
            Some(key) => builder.header("Idempotency-Key", key.to_string()),
            None => builder,
        };
        let reply = builder.bearer_auth(&self.key.0).send().await.ok()?;
        let status = reply.status().as_u16();
        Some((status, reply.bytes().await.ok()?.to_vec()))
    }
}
