//! One attempt to sign in. The browser keeps 32 random bytes in a cookie that no script can read; state, nonce and the
//! verifier of PKCE follow from them, so nothing is stored here between the way there and the way back.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::keys::hmac;
use subtle::ConstantTimeEq as _;

/// The attempt of one browser.
pub struct Attempt {
    secret: [u8; 32],
    /// Where the fan came from: a path of ours.
    pub to: String,
}

impl Attempt {
    /// A new one.
    pub fn new(secret: [u8; 32], to: &str) -> Self {
        Self { secret, to: ours(to).to_owned() }
    }

    /// The one that a cookie keeps.
    pub fn of_cookie(value: &str) -> Option<Self> {
        let (secret, to) = value.split_once('.')?;
        Some(Self::new(URL_SAFE_NO_PAD.decode(secret).ok()?.try_into().ok()?, to))
    }

    /// The cookie's value.
    pub fn cookie(&self) -> String {
        format!("{}.{}", URL_SAFE_NO_PAD.encode(self.secret), self.to)
    }

    /// Ties the way back to this browser.
    pub fn state(&self) -> String {
        self.derived("state")
    }

    /// Whether a way back is this attempt's, in constant time.
    pub fn is(&self, state: &str) -> bool {
        self.state().as_bytes().ct_eq(state.as_bytes()).into()
    }

    /// Ties the ID token to this attempt.
    pub fn nonce(&self) -> String {
        self.derived("nonce")
    }

    /// Shown when the code is exchanged (RFC 7636).
    pub fn verifier(&self) -> String {
        self.derived("verifier")
    }

    fn derived(&self, what: &str) -> String {
        URL_SAFE_NO_PAD.encode(hmac(&self.secret, &[what.as_bytes()]))
    }
}

/// A path of our pages, or the first page: nobody is sent elsewhere.
fn ours(to: &str) -> &str {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/-_".contains(&b);
    if to.len() <= 200 && (to == "/orders" || to.starts_with("/e/")) && to.bytes().all(plain) && !to.contains("//") {
        to
    } else {
        "/"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_brings_the_attempt_back() {
        let attempt = Attempt::new([7; 32], "/e/demo/shop");
        let back = Attempt::of_cookie(&attempt.cookie()).unwrap_or_else(|| panic!("a cookie of ours"));
        assert!(back.is(&attempt.state()) && !back.is(&attempt.nonce()) && !back.is(""));
        assert_eq!((back.nonce(), back.verifier().len(), back.to), (attempt.nonce(), 43, "/e/demo/shop".into()));
        assert!(!Attempt::new([8; 32], "/").is(&attempt.state()));
        for odd in ["", ".", "AAAA./e/demo", "no-dot"] {
            assert!(Attempt::of_cookie(odd).is_none(), "{odd}");
        }
    }

    #[test]
    fn nobody_is_sent_elsewhere() {
        for to in ["/orders", "/e/demo/orders/x"] {
            assert_eq!(ours(to), to);
        }
        for to in [
            "/orders/x",
            "/ordersx",
            "https://evil.example",
            "//evil.example",
            "/e//evil.example",
            "/e/x?y=1",
            "/v1/session",
            "/e/\r\nx",
            "",
        ] {
            assert_eq!(ours(to), "/", "{to}");
        }
    }
}
