//! What an answer of Turnstile's `siteverify` means. See <https://developers.cloudflare.com/turnstile/get-started/server-side-validation/>.
//!
//! A token counts only for the page, the purpose and the account that it was made for; a verification that did not take
//! place is an outage and says nothing about the fan.

use serde::Deserialize;

/// The widget's `action`, for every event.
pub const ACTION: &str = "join";
/// Longest token, in bytes, as documented.
pub const TOKEN_MAX: usize = 2_048;

/// An answer of `siteverify`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// Whether the token is good.
    pub success: bool,
    /// The page that showed the widget.
    pub hostname: String,
    /// What the widget was for.
    pub action: String,
    /// What the page gave the widget along, see [`crate::token::challenge_data`].
    pub cdata: String,
    /// Why it is not good.
    #[serde(rename = "error-codes")]
    pub errors: Vec<String>,
}

/// What the token was to be made for.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The site's host name.
    pub hostname: &'a str,
    /// Event and account.
    pub cdata: &'a str,
}

/// What a verification means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Passed.
    Passed,
    /// Not passed; the word tells why and is shown.
    Failed(&'static str),
    /// Nothing was verified: the platform's trouble, or a wrong secret of ours.
    Down,
}

/// Judges an answer.
pub fn judge(answer: &Answer, wanted: &Wanted<'_>) -> Outcome {
    let has = |code: &str| answer.errors.iter().any(|error| error == code);
    if answer.success {
        let made_for_this =
            answer.hostname == wanted.hostname && answer.action == ACTION && answer.cdata == wanted.cdata;
        return if made_for_this { Outcome::Passed } else { Outcome::Failed("foreign") };
    }
    if has("timeout-or-duplicate") {
        Outcome::Failed("used")
    } else if has("invalid-input-response") || has("missing-input-response") {
        Outcome::Failed("wrong")
    } else {
        Outcome::Down
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_has_its_meaning() {
        let wanted = Wanted { hostname: "tickets.example", cdata: "demo_ada" };
        let good = r#"{"success":true,"hostname":"tickets.example","action":"join","cdata":"demo_ada","error-codes":[],"challenge_ts":"2027-01-01T00:00:00Z"}"#;
        let cases = [
            (good.to_owned(), Outcome::Passed),
            (good.replace("tickets", "other"), Outcome::Failed("foreign")),
            (good.replace("\"join\"", "\"login\""), Outcome::Failed("foreign")),
            (good.replace("demo_ada", "demo_bo"), Outcome::Failed("foreign")),
            (r#"{"success":true}"#.to_owned(), Outcome::Failed("foreign")),
            (r#"{"success":false,"error-codes":["timeout-or-duplicate"]}"#.to_owned(), Outcome::Failed("used")),
            (r#"{"success":false,"error-codes":["invalid-input-response"]}"#.to_owned(), Outcome::Failed("wrong")),
            (r#"{"success":false,"error-codes":["internal-error"]}"#.to_owned(), Outcome::Down),
            (r#"{"success":false,"error-codes":["invalid-input-secret"]}"#.to_owned(), Outcome::Down),
            ("{}".to_owned(), Outcome::Down),
        ];
        for (text, want) in cases {
            let answer: Answer = serde_json::from_str(&text).expect("an answer");
            assert_eq!(judge(&answer, &wanted), want, "{text}");
        }
    }
}
