//! Where tokens travel: cookies for browsers, headers for API clients, never in an address.

use domain::ids::EventId;
use domain::lane::REGISTRATION;
use domain::time::WallMs;
use domain::token::{AccessToken, AccountToken, PlaceToken, StampToken, Token, Verifier, account_scope};

use crate::call::Call;
use crate::config::Config;
use crate::problem::{Code, Problem};

/// The fan's account, if the credential is authentic and live.
pub fn account(call: &Call, now: WallMs) -> Result<AccountToken, Problem> {
    let shown = shown(call, "X-Account-Token", "onsale_account").ok_or(Code::AccountRequired)?;
    let token = AccountToken::decode(&shown, &call.config.keys, &account_scope());
    token.ok().filter(|token| token.live(now)).ok_or_else(|| Code::AccountRequired.into())
}

/// The place token, if it is authentic and live.
pub fn place(call: &Call, event: &EventId, now: WallMs) -> Result<PlaceToken, Problem> {
    shown_place(call, event, now).ok_or_else(|| Code::PlaceRequired.into())
}

/// The place token if one is shown and good; a bad one counts as none.
pub fn shown_place(call: &Call, event: &EventId, now: WallMs) -> Option<PlaceToken> {
    let shown = shown(call, "X-Place-Token", &format!("onsale_place_{event}"))?;
    let token = PlaceToken::decode(&shown, &call.config.keys, event).ok().filter(|token| token.live(now));
    token.filter(|token| token.entrance.lane != REGISTRATION)
}

/// The token of a registration, if one is shown and good.
pub fn registration(call: &Call, event: &EventId, now: WallMs) -> Option<PlaceToken> {
    let shown = shown(call, "X-Registration-Token", &format!("onsale_registration_{event}"))?;
    let token = PlaceToken::decode(&shown, &call.config.keys, event).ok().filter(|token| token.live(now));
    token.filter(|token| token.entrance.lane == REGISTRATION)
}

/// Whether the account's own credential is shown beside a place token: a revoked one is good with it only.
pub fn vouched(call: &Call, token: &PlaceToken, now: WallMs) -> bool {
    account(call, now).is_ok_and(|account| account.account == token.account)
}

/// The access token's text and content, authentic but perhaps expired.
pub fn access(call: &Call, event: &EventId) -> Result<(String, AccessToken), Problem> {
    let (token, cookies) = (call.header("X-Access-Token"), call.header("Cookie"));
    let verifier = Verifier::new(&call.config.keys, event);
    Shown { token: token.as_deref(), cookies: cookies.as_deref() }.access(&call.config, event, &verifier)
}

/// Where a request may carry one kind of token.
pub struct Shown<'a> {
    /// The kind's own header.
    pub token: Option<&'a str>,
    /// All cookies.
    pub cookies: Option<&'a str>,
}

impl Shown<'_> {
    /// The access token's text and content, authentic but perhaps expired.
    pub fn access(
        &self,
        config: &Config,
        event: &EventId,
        verifier: &Verifier<AccessToken>,
    ) -> Result<(String, AccessToken), Problem> {
        let text = self.text(&cookie_name(config, &format!("onsale_access_{event}"))).ok_or(Code::AccessRequired)?;
        let token = verifier.decode(text).map_err(|_| Code::AccessInvalid)?;
        Ok((text.to_owned(), token))
    }

    /// A header wins over a cookie.
    fn text(&self, cookie: &str) -> Option<&str> {
        self.token.or_else(|| find_cookie(self.cookies?, cookie))
    }
}

/// The arrival stamp if an authentic one is shown.
pub fn stamp(call: &Call, event: &EventId) -> Option<StampToken> {
    let shown = shown(call, "X-Arrival-Stamp", &format!("onsale_stamp_{event}"))?;
    StampToken::decode(&shown, &call.config.keys, event).ok()
}

fn shown(call: &Call, header: &str, cookie: &str) -> Option<String> {
    let (token, cookies) = (call.header(header), call.header("Cookie"));
    let shown = Shown { token: token.as_deref(), cookies: cookies.as_deref() };
    shown.text(&cookie_name(&call.config, cookie)).map(str::to_owned)
}

/// A cookie's value.
pub fn cookie(call: &Call, name: &str) -> Option<String> {
    let cookies = call.header("Cookie")?;
    find_cookie(&cookies, &cookie_name(&call.config, name)).map(str::to_owned)
}

/// The events in whose lines this browser stands or stood, by its cookies.
pub fn events(call: &Call) -> Vec<EventId> {
    let all = call.header("Cookie").unwrap_or_default();
    let prefixes = ["onsale_place_", "onsale_registration_"].map(|kind| cookie_name(&call.config, kind));
    let names = all.split(';').filter_map(|pair| pair.trim().split_once('=')).map(|(name, _)| name);
    let of = |name: &str| prefixes.iter().find_map(|prefix| name.strip_prefix(prefix.as_str())?.parse().ok());
    names.filter_map(of).collect()
}

fn find_cookie<'a>(all: &'a str, name: &str) -> Option<&'a str> {
    all.split(';').filter_map(|pair| pair.trim().split_once('=')).find(|(key, _)| *key == name).map(|(_, value)| value)
}

fn cookie_name(config: &Config, name: &str) -> String {
    if config.loopback { name.to_owned() } else { format!("__Host-{name}") }
}

/// Life of the access token's cookie, in seconds; the token itself ends in event time, which may stand still.
const ACCESS_COOKIE_S: i64 = 86_400;

/// The `Set-Cookie` value of an access token.
pub fn access_cookie(config: &Config, event: &EventId, token: &str) -> String {
    set_cookie(config, &format!("onsale_access_{event}"), token, ACCESS_COOKIE_S)
}

/// A `Set-Cookie` value. `Secure` and the prefix are dropped on loopback only.
pub fn set_cookie(config: &Config, name: &str, value: &str, max_age_s: i64) -> String {
    let secure = if config.loopback { "" } else { "; Secure" };
    let name = cookie_name(config, name);
    format!("{name}={value}; Path=/; Max-Age={max_age_s}; HttpOnly; SameSite=Lax{secure}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_found_by_its_whole_name() {
        let all = "xonsale_account=a; onsale_account=b=c; onsale_account_2=d";
        assert_eq!(find_cookie(all, "onsale_account"), Some("b=c"));
        assert_eq!(find_cookie(all, "account"), None);
    }
}
