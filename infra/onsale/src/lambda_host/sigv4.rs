//! Signature Version 4: signing our own calls, and checking others' by recomputing theirs.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_credential_types::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningInstructions, SigningSettings, sign};
use aws_sigv4::sign::v4;
use aws_smithy_runtime_api::client::identity::Identity;
use http::HeaderMap;
use subtle::ConstantTimeEq;

/// Signatures older or newer than this are refused (as AWS does).
const AGE_MAX: Duration = Duration::from_secs(300);

/// An access key pair. The secret is not shown by `Debug`.
#[derive(Clone)]
pub struct SignerKeys {
    /// The access key id.
    pub access_key_id: String,
    /// The secret access key.
    pub secret_access_key: String,
}

impl std::fmt::Debug for SignerKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SignerKeys({}, …)", self.access_key_id)
    }
}

/// Signs and checks requests of one service in one region.
#[derive(Debug, Clone)]
pub struct Signer {
    identity: Identity,
    access_key_id: String,
    region: String,
    service: String,
}

impl Signer {
    /// A signer with `keys` for `service` in `region`.
    pub fn new(keys: &SignerKeys, region: &str, service: &str) -> Self {
        let credentials = Credentials::new(&keys.access_key_id, &keys.secret_access_key, None, None, "onsale");
        Self {
            identity: credentials.into(),
            access_key_id: keys.access_key_id.clone(),
            region: region.to_owned(),
            service: service.to_owned(),
        }
    }

    /// The same with the session token that belongs to keys which end by themselves.
    #[must_use]
    pub fn in_session(self, keys: &SignerKeys, token: Option<String>) -> Self {
        let credentials = Credentials::new(&keys.access_key_id, &keys.secret_access_key, token, None, "onsale");
        Self { identity: credentials.into(), ..self }
    }

    /// The headers that sign a request to `url` at `now`, `authorization` among them.
    /// `None` when the request cannot be signed (a malformed URL).
    pub fn headers(
        &self,
        now: SystemTime,
        method: &str,
        url: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Option<Vec<(String, String)>> {
        let (instructions, _) = self.sign(now, method, url, headers, body)?;
        let pairs = instructions.headers().map(|(n, v)| (n.to_owned(), v.to_owned()));
        Some(pairs.collect())
    }

    /// Whether the request carries a signature of these keys that is right and fresh.
    pub fn verify(
        &self,
        now: SystemTime,
        method: &str,
        path_and_query: &str,
        headers: &HeaderMap,
        body: &[u8],
    ) -> bool {
        self.check(now, method, path_and_query, headers, body).is_some()
    }

    fn check(
        &self,
        now: SystemTime,
        method: &str,
        path_and_query: &str,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Option<()> {
        let claimed = Claimed::parse(headers.get("authorization")?.to_str().ok()?)?;
        let date = headers.get("x-amz-date")?.to_str().ok()?;
        let time = parse_date(date)?;
        let scope = format!("{}/{}/{}/{}/aws4_request", self.access_key_id, date.get(..8)?, self.region, self.service);
        let covered = ["host", "x-amz-date"].iter().all(|h| claimed.signed.contains(h));
        if claimed.credential != scope || !covered || !fresh(now, time) {
            return None;
        }
        let signed = claimed.values(headers)?;
        let url = format!("http://{}{path_and_query}", headers.get("host")?.to_str().ok()?);
        let (_, expected) = self.sign(time, method, &url, &signed, body)?;
        bool::from(expected.as_bytes().ct_eq(claimed.signature.as_bytes())).then_some(())
    }

    fn sign(
        &self,
        time: SystemTime,
        method: &str,
        url: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Option<(SigningInstructions, String)> {
        let mut settings = SigningSettings::default();
        settings.excluded_headers = None;
        let params = v4::SigningParams::builder()
            .identity(&self.identity)
            .region(&self.region)
            .name(&self.service)
            .time(time)
            .settings(settings)
            .build()
            .ok()?
            .into();
        let body = SignableBody::Bytes(body);
        let request = SignableRequest::new(method, url, headers.iter().copied(), body).ok()?;
        Some(sign(request, &params).ok()?.into_parts())
    }
}

/// What an `Authorization` header claims.
struct Claimed<'a> {
    credential: &'a str,
    signed: Vec<&'a str>,
    signature: &'a str,
}

impl<'a> Claimed<'a> {
    fn parse(header: &'a str) -> Option<Self> {
        let rest = header.strip_prefix("AWS4-HMAC-SHA256")?;
        let field = |name: &str| rest.split(',').find_map(|part| part.trim().strip_prefix(name)?.strip_prefix('='));
        Some(Self {
            credential: field("Credential")?,
            signed: field("SignedHeaders")?.split(';').collect(),
            signature: field("Signature")?,
        })
    }

    /// The signed headers with their values, without the date, which the signer adds itself.
    fn values(&self, headers: &'a HeaderMap) -> Option<Vec<(&'a str, &'a str)>> {
        let wanted = self.signed.iter().filter(|name| **name != "x-amz-date");
        wanted.map(|name| Some((*name, headers.get(*name)?.to_str().ok()?))).collect()
    }
}

fn parse_date(text: &str) -> Option<SystemTime> {
    let date = jiff::civil::DateTime::strptime("%Y%m%dT%H%M%SZ", text).ok()?;
    let second = jiff::tz::TimeZone::UTC.to_timestamp(date).ok()?.as_second();
    Some(UNIX_EPOCH + Duration::from_secs(second.try_into().ok()?))
}

fn fresh(now: SystemTime, time: SystemTime) -> bool {
    let age = now.duration_since(time).or_else(|_| time.duration_since(now));
    age.is_ok_and(|age| age <= AGE_MAX)
}
