//! An intent as the provider shows it.

use serde::Deserialize;

/// Where an intent stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The card was refused, or none was given.
    RequiresPaymentMethod,
    /// The card has not been asked.
    RequiresConfirmation,
    /// The fan has to do something at the bank (3-D Secure).
    RequiresAction,
    /// The card has been asked and has not answered.
    Processing,
    /// Authorized: the money is set aside.
    RequiresCapture,
    /// Captured.
    Succeeded,
    /// Ended; no money is set aside.
    Canceled,
}

/// An intent, as far as an order cares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intent {
    /// The provider's id; safe in a path.
    pub id: String,
    /// Where it stands.
    pub status: Status,
    /// Minor units asked for.
    pub amount_minor: i64,
    /// Minor units that the card set aside, also when they were set free since; without the charge known while they are.
    pub authorized_minor: i64,
    /// Minor units taken.
    pub received_minor: i64,
    /// Minor units taken and given back; `None` unless the provider expands the charge.
    pub refunded_minor: Option<i64>,
    /// ISO 4217, in capitals.
    pub currency: String,
    /// The order in its metadata.
    pub order: Option<String>,
    /// Why the card last refused.
    pub decline_code: Option<String>,
    /// Names the card across orders; absent unless the provider expands the charge.
    pub fingerprint: Option<String>,
    /// Where the fan has to go while the intent [requires action](Status::RequiresAction): an http or https address.
    pub action: Option<String>,
}

/// The provider's JSON.
#[derive(Deserialize)]
pub(super) struct RawIntent {
    id: String,
    status: Status,
    amount: i64,
    #[serde(default)]
    amount_received: i64,
    currency: String,
    #[serde(default)]
    metadata: std::collections::BTreeMap<String, String>,
    last_payment_error: Option<RawError>,
    latest_charge: Option<serde_json::Value>,
    next_action: Option<serde_json::Value>,
}

/// The provider's error object.
#[derive(Deserialize)]
pub(super) struct RawError {
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub code: Option<String>,
    pub decline_code: Option<String>,
    pub payment_intent: Option<Box<RawIntent>>,
}

impl From<RawIntent> for Intent {
    fn from(raw: RawIntent) -> Self {
        let charge = raw.latest_charge.as_ref().filter(|charge| charge.is_object()).map(Charge::of);
        let is_set_aside = matches!(raw.status, Status::RequiresCapture | Status::Succeeded);
        let seen_minor = charge.as_ref().map_or(0, |charge| charge.authorized_minor);
        Self {
            status: raw.status,
            amount_minor: raw.amount,
            authorized_minor: if is_set_aside { raw.amount } else { seen_minor },
            received_minor: raw.amount_received,
            refunded_minor: charge.as_ref().map(|charge| charge.refunded_minor),
            currency: raw.currency.to_uppercase(),
            order: raw.metadata.get("order").cloned(),
            decline_code: raw.last_payment_error.and_then(|error| error.decline_code.or(error.code)),
            fingerprint: charge.and_then(|charge| charge.fingerprint),
            action: raw.next_action.as_ref().and_then(redirect),
            id: raw.id,
        }
    }
}

/// What an expanded charge tells.
struct Charge {
    authorized_minor: i64,
    refunded_minor: i64,
    fingerprint: Option<String>,
}

impl Charge {
    /// Stripe calls a charge `succeeded` once the card has approved, captured or not, and counts what was set free
    /// without being captured among what was refunded.
    fn of(raw: &serde_json::Value) -> Self {
        let number = |name: &str| raw[name].as_i64().unwrap_or(0);
        let (amount, captured) = (number("amount"), number("amount_captured"));
        let fingerprint = raw.pointer("/payment_method_details/card/fingerprint").and_then(|text| text.as_str());
        Self {
            authorized_minor: if raw["status"] == "succeeded" { amount } else { 0 },
            refunded_minor: (number("amount_refunded") - (amount - captured)).max(0),
            fingerprint: fingerprint.map(str::to_owned),
        }
    }
}

/// The address of a `redirect_to_url`; a browser follows it, so nothing but http and https will do.
fn redirect(action: &serde_json::Value) -> Option<String> {
    let url = action.pointer("/redirect_to_url/url")?.as_str()?;
    (url.starts_with("https://") || url.starts_with("http://")).then(|| url.to_owned())
}

/// Ids go into paths and into the table.
pub(super) fn is_id(text: &str) -> bool {
    text.starts_with("pi_") && text.len() <= 100 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
