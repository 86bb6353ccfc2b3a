//! Every refusal of the edge, and the one place where it gets its HTTP status and stable code.
//!
//! Problem documents follow RFC 9457. Programs branch on `code`; `title` and `detail` are for people.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The stable codes of the edge. The origin's own codes pass through unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    /// No such route, event, draw or page.
    NotFound,
    /// The route exists, the method does not.
    MethodNotAllowed,
    /// The body or a part of it cannot be read.
    BadRequest,
    /// A body without a declared length.
    LengthRequired,
    /// A body above the limit; it was not read.
    BodyTooLarge,
    /// A write with cookies from another site's page.
    ForeignOrigin,
    /// No account credential, or one that is not valid here.
    AccountRequired,
    /// An ID token of the identity provider that makes no account here.
    IdTokenInvalid,
    /// The way back from the identity provider does not belong to a sign-in of this browser, or it was refused there.
    SignInFailed,
    /// The identity provider does not answer.
    SignInUnavailable,
    /// The operator's key is missing, wrong or withdrawn.
    OperatorRequired,
    /// The operator's role does not suffice.
    RoleRequired,
    /// The command does not fit the state of the on-sale; `reason` says why.
    CommandRefused,
    /// No place token, or one that is not valid for this event.
    PlaceRequired,
    /// The place has no number yet.
    NotNumbered,
    /// The number's turn has not come.
    NotYet,
    /// Nobody is admitted at the moment.
    Paused,
    /// An emergency stop: nobody may book at the moment.
    Stopped,
    /// The on-sale is over.
    Closed,
    /// A link to documents that is not one of ours, or whose time is over.
    LinkEnded,
    /// No access token at all.
    AccessRequired,
    /// An access token that is not valid for this event.
    AccessInvalid,
    /// An access token whose session is over.
    AccessExpired,
    /// A session that was made longer before.
    AlreadyExtended,
    /// A token from before all were revoked; the account's own credential gets a new one.
    TokenRevoked,
    /// The event's definition contradicts itself or what is already decided.
    BadEvent,
    /// The event is not marked as a rehearsal.
    NotRehearsal,
    /// The network is on the event's deny list.
    NetworkRefused,
    /// The account lacks claims that the event requires.
    ClaimRequired,
    /// A check has to be passed first; the document names the ways.
    CheckRequired,
    /// A check was not passed; it can be tried again.
    CheckFailed,
    /// Too many calls in too short a time.
    SlowDown,
    /// The mail provider does not take the mail.
    MailUnavailable,
    /// A list of presale codes with findings.
    BadCodes,
    /// A search that makes no sense; `parameter` names what is wrong.
    QueryInvalid,
    /// Events for the search index that make no sense.
    SearchRefused,
    /// Another filling of the search index began later.
    SearchOvertaken,
    /// The search index was switched moments ago.
    SearchSettling,
    /// The search index does not answer.
    SearchUnavailable,
    /// Too many searches from one address.
    SearchTooFast,
    /// No presale code of this event.
    PresaleInvalid,
    /// A presale code outside its window.
    PresaleNotNow,
    /// A presale code whose uses are all taken.
    PresaleUsedUp,
    /// The event has no such lane.
    LaneUnknown,
    /// A lane that another way leads to.
    LaneRefused,
    /// The account is not invited, or not yet.
    NotInvited,
    /// Nobody may register at this time.
    RegistrationClosed,
    /// More arrivals than the line takes at once; the stamp keeps the arrival's time.
    LineBusy,
    /// A part of the line does not answer; the place is safe.
    LineUnavailable,
    /// The master key that the event began with was removed too early.
    KeyRetired,
    /// The seat map has not arrived yet.
    MapUnavailable,
    /// The booking origin does not answer.
    OriginUnavailable,
    /// The booking origin took too long; the call may have taken effect.
    OriginTimeout,
    /// Something that looks like a card number; it went no further.
    CardNumberRefused,
    /// An event that the payment provider has not signed, or not lately.
    SignatureInvalid,
    /// Something else went wrong; the log has it under the correlation id.
    Internal,
}

impl Code {
    /// HTTP status and title.
    pub fn http(self) -> (u16, &'static str) {
        match self {
            Self::NotFound => (404, "There is nothing here"),
            Self::MethodNotAllowed => (405, "This method is not known here"),
            Self::BadRequest => (400, "The request cannot be read"),
            Self::LengthRequired => (411, "The length of the body must be declared"),
            Self::BodyTooLarge => (413, "The body is too large"),
            Self::ForeignOrigin => (403, "The request comes from another site's page"),
            Self::AccountRequired => (401, "Sign in first"),
            Self::IdTokenInvalid => (401, "This sign-in is not valid"),
            Self::SignInFailed => (400, "Signing in did not work, try again"),
            Self::SignInUnavailable => (503, "The sign-in does not answer, try again in a moment"),
            Self::OperatorRequired => (401, "The operator's key is required"),
            Self::RoleRequired => (403, "The operator's role does not suffice"),
            Self::CommandRefused => (409, "The command is refused"),
            Self::PlaceRequired => (401, "Join the line first"),
            Self::NotNumbered => (403, "Your number is not known yet"),
            Self::NotYet => (403, "It is not your turn yet"),
            Self::Paused => (503, "The line is paused, your place is safe"),
            Self::Stopped => (503, "The sale is stopped for the moment, your place and your time are safe"),
            Self::Closed => (410, "The on-sale is over"),
            Self::LinkEnded => (410, "This link has ended: open the tickets from your order again"),
            Self::AccessRequired => (401, "Only people whose turn has come may do this"),
            Self::AccessInvalid => (401, "This access token is not valid"),
            Self::AccessExpired => (401, "The time to shop is over"),
            Self::AlreadyExtended => (409, "The time was extended before; that goes once"),
            Self::TokenRevoked => (401, "This token was revoked: sign in and ask for your place and your turn again"),
            Self::BadEvent => (422, "The event cannot be stored"),
            Self::NotRehearsal => (403, "The event is not a rehearsal"),
            Self::NetworkRefused => (403, "No places are given to this network; try another one, or ask the organiser"),
            Self::ClaimRequired => (403, "Your account has to be verified first"),
            Self::CheckRequired => (403, "One check first"),
            Self::CheckFailed => (403, "The check was not passed, try again"),
            Self::SlowDown => (429, "A little slower, please; your place is safe"),
            Self::MailUnavailable => (503, "No mail can be sent at the moment"),
            Self::BadCodes => (422, "The codes cannot be imported"),
            Self::QueryInvalid => (400, "This search makes no sense"),
            Self::SearchRefused => (422, "These events cannot be found by a search"),
            Self::SearchOvertaken => (409, "Another filling of the search index began later"),
            Self::SearchSettling => (409, "The search index was switched moments ago, try again in a minute"),
            Self::SearchUnavailable => (503, "The search does not answer; events can be opened by their links"),
            Self::SearchTooFast => (429, "Too many searches came from here; try again in a moment"),
            Self::PresaleInvalid => (403, "There is no such code, check it and try again"),
            Self::PresaleNotNow => (403, "This code is not valid at this time"),
            Self::PresaleUsedUp => (409, "This code has been used as often as it can be"),
            Self::LaneUnknown => (404, "There is no such lane"),
            Self::LaneRefused => (403, "This lane is not joined in that way"),
            Self::NotInvited => (403, "This account is not invited"),
            Self::RegistrationClosed => (410, "Registering is not possible at this time"),
            Self::LineBusy => (503, "Many are arriving; your arrival time is safe"),
            Self::LineUnavailable => (503, "A part of the line does not answer, your place is safe"),
            Self::KeyRetired => (503, "A key of this on-sale is missing, your place is safe"),
            Self::MapUnavailable => (503, "The seat map is not there yet"),
            Self::OriginUnavailable => (503, "The box office does not answer, try again in a moment"),
            Self::OriginTimeout => (504, "The box office took too long, try again with the same key"),
            Self::CardNumberRefused => (422, "Card numbers must not be sent here"),
            Self::SignatureInvalid => (400, "This is not signed by who may send it, or not lately"),
            Self::Internal => (500, "Internal error"),
        }
    }
}

/// A refusal with its particulars.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    /// What kind of refusal.
    pub code: Code,
    /// A sentence for people, without personal data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Members of the document particular to the code.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

impl Problem {
    /// A refusal that a sentence explains.
    pub fn because(code: Code, detail: impl Into<String>) -> Self {
        Self { detail: Some(detail.into()), ..code.into() }
    }

    /// Too many calls in too short a time: slowed, never thrown out.
    pub fn too_fast(wait_ms: i64) -> Self {
        Self::from(Code::SlowDown).with("retry_after_ms", wait_ms)
    }

    /// The same for searches.
    pub fn searches_too_fast(wait_ms: i64) -> Self {
        Self::from(Code::SearchTooFast).with("retry_after_ms", wait_ms)
    }

    /// Adds a member to the document.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.extra.insert(name.to_owned(), value.into());
        self
    }

    /// Adds the members of an object to the document.
    pub fn with_all(mut self, members: &Value) -> Self {
        self.extra.extend(members.as_object().cloned().unwrap_or_default());
        self
    }

    /// The stable code as a word.
    pub fn word(&self) -> String {
        serde_json::to_value(self.code).ok().and_then(|code| code.as_str().map(str::to_owned)).unwrap_or_default()
    }

    /// The document.
    pub fn body(&self) -> Value {
        let (status, title) = self.code.http();
        let mut body = self.extra.clone();
        body.insert("type".into(), "about:blank".into());
        body.insert("title".into(), title.into());
        body.insert("status".into(), status.into());
        body.insert("code".into(), self.word().into());
        if let Some(detail) = &self.detail {
            body.insert("detail".into(), detail.clone().into());
        }
        Value::Object(body)
    }

    /// After how many seconds trying again can help, if at all: what the document says in milliseconds, rounded up.
    pub fn retry_after_s(&self) -> Option<i64> {
        let told_ms = self.extra.get("retry_after_ms").and_then(Value::as_i64);
        match self.code.http().0 {
            503 | 504 => Some(told_ms.map_or(2, in_seconds)),
            429 => Some(told_ms.map_or(1, in_seconds)),
            _ => None,
        }
    }
}

fn in_seconds(ms: i64) -> i64 {
    ms.max(1).saturating_add(999) / 1_000
}

impl From<Code> for Problem {
    fn from(code: Code) -> Self {
        Self { code, detail: None, extra: Map::new() }
    }
}

/// Trouble of the runtime or of the code: logged here, once, and shown without its words.
impl From<worker::Error> for Problem {
    fn from(error: worker::Error) -> Self {
        worker::console_error!("internal: {error}");
        Code::Internal.into()
    }
}

impl From<serde_json::Error> for Problem {
    fn from(error: serde_json::Error) -> Self {
        Self::because(Code::BadRequest, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_carries_code_status_and_particulars() {
        let body = Problem::from(Code::NotYet).with("place", 7).body();
        assert_eq!(body["code"], "NOT_YET");
        assert_eq!(body["status"], 403);
        assert_eq!(body["place"], 7);
    }
}
