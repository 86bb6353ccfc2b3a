//! The protocol as tables.

use super::*;

#[test]
fn card_numbers_are_recognised_and_refused() {
    for number in [
        "4242424242424242",
        "4242 4242 4242 4242",
        "pm_4242-4242-4242-4242",
        "5555555555554444",
        "378282246310005",
        "card:6011000990139424!",
    ] {
        assert!(looks_like_card_number(number), "{number}");
        assert_eq!(number.parse::<PaymentMethod>(), Err(BadMethod::CardNumber), "{number}");
    }
    for harmless in ["4242424242424241", "424242424242", "pm_1PqRsT2eZvKYlo2C0N1a2b3c", "", "2026-11-29 20:15:00"] {
        assert!(!looks_like_card_number(harmless), "{harmless}");
    }
}

#[test]
fn a_card_number_in_an_address_is_recognised_however_it_is_written() {
    for address in [
        "?card=4242424242424242",
        "4242%204242+4242-4242",
        "/%34242424242424242",
        "%e2%82%ac4242%2d4242%2D4242%204242%",
    ] {
        assert!(address_looks_like_card_number(address), "{address}");
    }
    for harmless in ["", "%", "%2", "%zz", "€%20", "?since=1795988860193", "4242%2042424242424243"] {
        assert!(!address_looks_like_card_number(harmless), "{harmless}");
    }
}

/// Both of these were made by chance, as a browser and a UUID library make them.
#[test]
fn a_random_key_is_no_card_number() {
    for key in ["c3034515972939b0db43738610d5fe14", "a0123246-7537-4466-a233-0a67aac0a780"] {
        assert!(looks_like_card_number(key) && !key_looks_like_card_number(key), "{key}");
    }
    for key in [
        "4242424242424242",
        "order-4242424242424242",
        "4242-4242-4242-4242",
        "00000000000000004242424242424242",
        "pay4242424242424242",
    ] {
        assert!(key_looks_like_card_number(key) == looks_like_card_number(key), "{key}");
    }
    assert!(key_looks_like_card_number("order-4242424242424242"));
}

#[test]
fn only_the_providers_names_are_payment_methods() {
    assert!("pm_card_visa".parse::<PaymentMethod>().is_ok());
    for bad in ["", "pm_", "visa", "pm_a/b", "pm_a b", &format!("pm_{}", "a".repeat(101))] {
        assert_eq!(bad.parse::<PaymentMethod>(), Err(BadMethod::Shape), "{bad}");
    }
}

#[test]
fn answers_mean_what_they_should() {
    let error = |kind: &str, code: &str| format!(r#"{{"error":{{"type":"{kind}","code":"{code}","message":"m"}}}}"#);
    let table = [
        (
            402,
            r#"{"error":{"type":"card_error","code":"card_declined","decline_code":"insufficient_funds"}}"#.to_owned(),
            Refused::Declined("insufficient_funds".to_owned()),
        ),
        (402, error("card_error", "expired_card"), Refused::Declined("expired_card".to_owned())),
        (400, error("invalid_request_error", "payment_intent_unexpected_state"), Refused::State(None)),
        (400, error("invalid_request_error", "charge_already_refunded"), Refused::Refunded),
        (404, error("invalid_request_error", "resource_missing"), Refused::Missing),
        (409, error("idempotency_error", "idempotency_key_in_use"), Refused::KeyInUse),
        (400, r#"{"error":{"type":"idempotency_error"}}"#.to_owned(), Refused::KeySpent),
        (400, error("invalid_request_error", "parameter_invalid_integer"), Refused::Parameter),
        (429, String::new(), Refused::Busy),
        (500, String::new(), Refused::Server(500)),
        (503, "<html>".to_owned(), Refused::Server(503)),
        (401, String::new(), Refused::Unauthorized),
        (200, "{}".to_owned(), Refused::Unreadable),
        (302, String::new(), Refused::Unreadable),
    ];
    for (status, body, refused) in table {
        assert_eq!(read_intent(status, body.as_bytes()), Err(refused), "{status} {body}");
    }
}

#[test]
fn an_intent_is_read_with_the_order_it_belongs_to() {
    let body = br#"{"id":"pi_1","object":"payment_intent","amount":1250,"amount_received":0,"currency":"eur","status":"requires_capture",
        "metadata":{"order":"o"},"last_payment_error":null,"latest_charge":{"payment_method_details":{"card":{"fingerprint":"f"}}}}"#;
    let intent = read_intent(200, body).expect("as Stripe documents it");
    assert_eq!((intent.status, intent.amount_minor, &*intent.currency), (Status::RequiresCapture, 1250, "EUR"));
    assert_eq!((intent.order.as_deref(), intent.fingerprint.as_deref()), (Some("o"), Some("f")));
    assert_eq!(
        read_intent(200, &String::from_utf8_lossy(body).replace("pi_1", "pi_/../x").into_bytes()),
        Err(Refused::Unreadable)
    );
}

#[test]
fn a_charge_tells_what_was_set_aside_and_given_back() {
    let intent = |status: &str, received: i64, charge: &str| {
        let body = format!(
            r#"{{"id":"pi_1","amount":900,"amount_received":{received},"currency":"eur","status":"{status}","latest_charge":{charge}}}"#
        );
        read_intent(200, body.as_bytes()).expect("as Stripe documents it")
    };
    let charge = |status: &str, captured: i64, refunded: i64| {
        format!(r#"{{"status":"{status}","amount":900,"amount_captured":{captured},"amount_refunded":{refunded}}}"#)
    };
    let table = [
        (intent("canceled", 0, "null"), (0, 0, None)),
        (intent("requires_payment_method", 0, &charge("failed", 0, 0)), (0, 0, Some(0))),
        (intent("requires_capture", 0, r#""ch_1""#), (900, 0, None)),
        (intent("canceled", 0, &charge("succeeded", 0, 900)), (900, 0, Some(0))),
        (intent("succeeded", 900, &charge("succeeded", 900, 300)), (900, 900, Some(300))),
        (intent("succeeded", 600, &charge("succeeded", 600, 300)), (900, 600, Some(0))),
    ];
    for (intent, figures) in table {
        assert_eq!((intent.authorized_minor, intent.received_minor, intent.refunded_minor), figures, "{intent:?}");
    }
}
