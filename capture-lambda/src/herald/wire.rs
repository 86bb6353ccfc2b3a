//! The call itself. Names are looked up here and nowhere else, once a connection: what was looked up is judged, and the
//! connection goes to these very addresses. So a name that leads elsewhere a moment later leads nobody astray.

use std::error::Error;
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use domain::items::OutMessage;
use domain::outbox::{BadTarget, Ended, SigningKeys, Target, is_public};
use domain::time::WallMs;
use futures::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{StatusCode, Url};

/// How long a receiver is waited for, connection included.
const PATIENCE: Duration = Duration::from_secs(3);

/// Looks names up.
pub type Lookup = Arc<dyn Fn(String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> + Send + Sync>;

/// Where messages may go.
#[derive(Clone, Copy)]
pub struct Policy {
    /// What is wrong with an address of the web.
    pub target: fn(&Target) -> Result<(), BadTarget>,
    /// Whether a name may lead to this address.
    pub address: fn(IpAddr) -> bool,
}

impl Policy {
    /// To the public internet, by https.
    pub const PUBLIC: Self = Self { target: Target::check, address: is_public };
    /// To this machine as well, as it is in the local stack.
    pub const LOCAL: Self = Self {
        target: |target| if target.is_loopback() { Ok(()) } else { target.check() },
        address: |address| address.is_loopback() || is_public(address),
    };
}

/// An address that a name must not lead to.
#[derive(Debug, thiserror::Error)]
#[error("a name that leads to an address that is not public")]
struct Astray;

struct Names {
    lookup: Lookup,
    may: fn(IpAddr) -> bool,
}

impl Resolve for Names {
    fn resolve(&self, name: Name) -> Resolving {
        let (looked_up, may) = ((self.lookup)(name.as_str().to_owned()), self.may);
        Box::pin(async move {
            let addresses = looked_up.await?;
            if !addresses.iter().all(|address| may(*address)) {
                return Err(Astray.into());
            }
            // Port 0 stands for the one of the address that is called.
            let addresses: Addrs = Box::new(addresses.into_iter().map(|address| SocketAddr::new(address, 0)));
            Ok(addresses)
        })
    }
}

/// Calls organisers' addresses.
#[derive(Clone)]
pub struct Wire {
    http: reqwest::Client,
    policy: Policy,
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wire")
    }
}

/// The system's way of looking names up.
#[must_use]
pub fn system() -> Lookup {
    Arc::new(|name| {
        Box::pin(async move { Ok(tokio::net::lookup_host((name, 0)).await?.map(|address| address.ip()).collect()) })
    })
}

impl Wire {
    /// Calls what the policy allows; follows no redirects, and no proxy that the environment names.
    ///
    /// # Errors
    /// The HTTP client cannot be set up.
    pub fn new(policy: Policy, lookup: Lookup) -> Result<Self, reqwest::Error> {
        let names = Names { lookup, may: policy.address };
        let http = reqwest::Client::builder().timeout(PATIENCE).redirect(reqwest::redirect::Policy::none()).no_proxy();
        Ok(Self { http: http.dns_resolver(Arc::new(names)).build()?, policy })
    }

    /// Sends a message once.
    pub async fn send(&self, url: &str, message: &OutMessage, keys: &SigningKeys, now: WallMs) -> Ended {
        let url = match self.checked(url) {
            Ok(url) => url,
            Err(bad) => return Ended::Hopeless(word(bad).to_owned()),
        };
        let id = message.id();
        let request = self
            .http
            .post(url)
            .header("content-type", "application/cloudevents+json; charset=utf-8")
            .header("webhook-timestamp", now.0.div_euclid(1_000))
            .header("webhook-signature", keys.sign(&id, now, &message.body))
            .header("webhook-id", id);
        match request.body(message.body.clone()).send().await {
            Ok(answer) => said(answer.status()),
            Err(error) => failed(&error),
        }
    }

    /// The address as the client understands it, judged in that shape.
    fn checked(&self, url: &str) -> Result<Url, BadTarget> {
        let url = Url::parse(url).map_err(|_| BadTarget::Shape)?;
        (self.policy.target)(&Target::parse(url.as_str())?)?;
        Ok(url)
    }
}

const fn word(bad: BadTarget) -> &'static str {
    match bad {
        BadTarget::Shape => "no_address",
        BadTarget::Insecure => "not_https",
        BadTarget::Private => "private_address",
    }
}

/// A receiver that is gone says so; everything else that is no yes may become one.
fn said(status: StatusCode) -> Ended {
    match status {
        StatusCode::GONE => Ended::Hopeless("410".to_owned()),
        status if status.is_success() => Ended::Acknowledged(status.as_u16()),
        status => Ended::Failed(status.as_u16().to_string()),
    }
}

fn is_astray(error: &(dyn Error + 'static)) -> bool {
    error.is::<Astray>() || error.source().is_some_and(is_astray)
}

fn failed(error: &reqwest::Error) -> Ended {
    if error.source().is_some_and(is_astray) {
        return Ended::Hopeless(word(BadTarget::Private).to_owned());
    }
    let what = if error.is_timeout() {
        "timeout"
    } else if error.is_connect() {
        "no_connection"
    } else {
        "no_answer"
    };
    Ended::Failed(what.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_yes_is_a_yes() {
        let table = [(200, true), (204, true), (299, true), (301, false), (302, false), (400, false), (500, false)];
        for (status, yes) in table {
            let end = said(StatusCode::from_u16(status).expect("a status"));
            let no = Ended::Failed(status.to_string());
            assert_eq!(end, if yes { Ended::Acknowledged(status) } else { no });
        }
        assert_eq!(said(StatusCode::GONE), Ended::Hopeless("410".into()));
    }

    #[test]
    fn addresses_are_judged_as_the_client_understands_them() {
        let wire = |policy| Wire::new(policy, system()).expect("a client");
        let (public, local) = (wire(Policy::PUBLIC), wire(Policy::LOCAL));
        let table = [
            ("https://example.org/x", Ok(()), Ok(())),
            ("https://0x7f000001/", Err(BadTarget::Private), Ok(())),
            ("https://2130706433/", Err(BadTarget::Private), Ok(())),
            ("https://127.1/", Err(BadTarget::Private), Ok(())),
            ("https://169.254.169.254/", Err(BadTarget::Private), Err(BadTarget::Private)),
            ("http://127.0.0.1:9/", Err(BadTarget::Insecure), Ok(())),
            ("http://example.org/", Err(BadTarget::Insecure), Err(BadTarget::Insecure)),
            ("http://10.0.0.1/", Err(BadTarget::Insecure), Err(BadTarget::Insecure)),
            ("gopher://example.org/", Err(BadTarget::Shape), Err(BadTarget::Shape)),
        ];
        for (url, by_public, by_local) in table {
            assert_eq!((public.checked(url).map(drop), local.checked(url).map(drop)), (by_public, by_local), "{url}");
        }
    }
}
