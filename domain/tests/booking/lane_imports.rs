//! Lanes and registrations of events, good and bad: every finding is named.

use crate::imports::{EVENT, PLAN};
use domain::plan_import::{Code, import};

/// A presale, verified accounts and a lottery.
const LANES: &str = r#"
[[lanes]]
id = "club"
name = "Club"
share_percent = 20
access = "codes"

[[lanes]]
id = "proven"
name = "Verified"
share_percent = 10
access = "claims"
claims = ["phone"]

[[lanes]]
id = "won"
name = "Invited"
share_percent = 40
access = "invitation"

[registration]
opens_at = "2027-02-20T10:00"
draws_at = "2027-02-27T10:00"
invited = 20000
"#;

#[test]
fn lanes_and_registration_reach_the_edge() {
    let imported = import(&format!("{EVENT}{LANES}"), PLAN).unwrap();
    let edge: domain::edge_event::EdgeEvent = serde_json::from_value(imported.definition.to_edge_json()).unwrap();
    assert!(domain::edge_event::check(&edge).is_empty(), "{:?}", domain::edge_event::check(&edge));
    assert_eq!(edge.lines().collect::<Vec<_>>(), [0, 1, 2, 3, 255]);
    let registration = edge.registration.expect("a registration");
    assert_eq!((registration.draws_at_ms.0, registration.invited), (1_803_718_800_000, 20_000), "10:00 in Berlin");
    let again = serde_json::to_string(&imported.definition).unwrap();
    assert_eq!(serde_json::from_str::<domain::plan_import::EventDefinition>(&again).unwrap(), imported.definition);
}

#[test]
fn each_mistake_in_lanes_has_its_code() {
    let cases = [
        ("id = \"club\"", "id = \"Club!\"", Code::Id),
        ("id = \"club\"", "id = \"main\"", Code::Id),
        ("id = \"proven\"", "id = \"club\"", Code::DuplicateLane),
        ("\"codes\"", "\"anybody\"", Code::Word),
        ("[\"phone\"]", "[\"fax\"]", Code::Word),
        ("claims = [\"phone\"]", "", Code::LaneAccess),
        ("\"invitation\"", "\"codes\"", Code::LaneAccess),
        ("share_percent = 20", "share_percent = 0", Code::Range),
        ("share_percent = 20", "share_percent = 50", Code::Range),
        ("share_percent = 20", "share = 20", Code::UnknownKey),
        ("2027-02-27T10:00", "2027-02-19T10:00", Code::RegistrationOrder),
        ("2027-02-27T10:00", "2027-03-02T10:00", Code::RegistrationOrder),
        ("2027-02-27T10:00", "soon", Code::Time),
        ("invited = 20000", "invited = 0", Code::Range),
    ];
    for (from, to, code) in cases {
        let text = format!("{EVENT}{}", LANES.replacen(from, to, 1));
        let findings = import(&text, PLAN).expect_err(to);
        assert!(findings.iter().any(|finding| finding.code == code), "{to}: {findings:?}");
    }
}
