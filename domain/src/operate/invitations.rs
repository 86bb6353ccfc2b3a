//! Invitations by an operator's order.

use super::*;
use crate::edge_event::EdgeEvent;
use crate::registration::Registration;
use crate::time::WallMs;
use serde_json::{Value, json};

const NOW: WallMs = WallMs(1_799_999_000_000);

fn event(registration: Option<Registration>) -> EdgeEvent {
    let event = json!({
        "id": "demo", "name": "Demo", "venue": "Arena", "opens_at_ms": NOW.0 + 9_000, "ends_at_ms": NOW.0 + 99_000,
        "zone": "Europe/Berlin", "currency": "EUR", "max_per_account": 6, "layout_version": "v1", "levels": [],
        "registration": registration,
    });
    serde_json::from_value(event).expect("an event")
}

fn invite(event: &EdgeEvent, orders: &Orders, count: u64) -> Result<u64, Refused> {
    let command: Value = json!({ "do": "invite", "count": count });
    let command = serde_json::from_value(command).expect("a command");
    decide(&command, &Situation { now: NOW, event, orders }).map(|change| change.orders.invited)
}

#[test]
fn they_add_up_where_there_is_a_registration() {
    let (none, five) = (Orders::default(), Orders { invited: 5, ..Orders::default() });
    let lottery = event(Some(Registration { opens_at_ms: NOW, draws_at_ms: NOW.plus(1), invited: 10 }));
    assert_eq!([invite(&lottery, &none, 5), invite(&lottery, &five, 7)], [Ok(5), Ok(12)]);
    assert_eq!([0, INVITE_MAX + 1].map(|count| invite(&lottery, &five, count)), [Err(Refused::CountOutOfRange); 2]);
    assert_eq!(invite(&event(None), &five, 5), Err(Refused::NoRegistration));
}
