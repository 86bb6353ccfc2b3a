//! The ladder step by step, the cases in which real people looked like bots, and the limits.

use super::rate::{Meter, Rate};
use super::work::{PARTS, is_solved, solve};
use super::*;
use crate::time::WallMs;

fn address(text: &str) -> Option<IpAddr> {
    Some(text.parse().expect("an address"))
}

const FLOOD: Press = Press { wait_ms: None, flood: true };

#[test]
fn the_ladder_in_its_order() {
    let deny = vec!["203.0.113.0/24".parse().expect("a network")];
    let checks = Checks { challenge: Challenge::Turnstile, claims: vec![Claim::Phone], deny, ..Checks::default() };
    let wait = Press { wait_ms: Some(700), flood: true };
    let mut facts = Facts { address: address("203.0.113.9"), press: wait, mail: true, ..Facts::default() };
    assert_eq!(decide(&checks, &facts), Verdict::Refused(Refusal::Network));
    facts.address = address("198.51.100.9");
    assert_eq!(decide(&checks, &facts), Verdict::Refused(Refusal::TooFast(700)));
    facts.press = FLOOD;
    assert_eq!(decide(&checks, &facts), Verdict::Refused(Refusal::Claims(vec![Claim::Phone])));
    facts.claims = Claims::PHONE;
    assert_eq!(decide(&checks, &facts), Verdict::Prove { ways: vec![Way::Turnstile, Way::Mail], bits: 15 });
    facts.passed = Door::WORK;
    facts.bot_score = Some(1);
    assert_eq!(decide(&checks, &facts), Verdict::Enter(Door::WORK.with(Door::CLAIMS).with(Door::SLOWED)));
    facts.passed = Door::MAIL_CODE;
    assert_eq!(decide(&checks, &facts), Verdict::Enter(Door::MAIL_CODE.with(Door::CLAIMS)));
}

#[test]
fn nothing_is_asked_of_anybody_by_default() {
    assert_eq!(decide(&Checks::default(), &Facts::default()), Verdict::Enter(Door::NONE));
}

#[test]
fn a_mapped_address_is_on_the_same_list() {
    let deny = vec!["203.0.113.0/24".parse().expect("a network"), "2001:db8::/32".parse().expect("a network")];
    let checks = Checks { deny, ..Checks::default() };
    for (text, denied) in [("::ffff:203.0.113.9", true), ("2001:db8:1::9", true), ("2001:db9::9", false)] {
        assert_eq!(checks.denies(text.parse().expect("an address")), denied, "{text}");
    }
}

/// Real buyers who were taken for bots at real on-sales, as signals at the door. None may be slowed.
#[test]
fn no_real_buyer_is_certainly_a_bot() {
    let wait = Press { wait_ms: Some(10), flood: true };
    let cases = [
        ("many devices of one account", None, Press::default(), Door::NONE),
        ("flagged as a bot by the platform", Some(1), Press::default(), Door::NONE),
        ("refreshes without pause", Some(40), wait, Door::NONE),
        ("one of 500 behind one address", Some(25), FLOOD, Door::NONE),
        ("no cookies", Some(12), FLOOD, Door::NONE),
        ("in an app's web view", Some(1), Press::default(), Door::WORK),
        ("web view behind a shared address, by a challenge", Some(1), FLOOD, Door::CHALLENGE),
        ("blind, by mail, behind a shared address", Some(1), FLOOD, Door::MAIL_CODE),
        ("without JavaScript", Some(1), Press::default(), Door::MAIL_CODE),
        ("where the platform gives no score", None, FLOOD, Door::WORK),
    ];
    for (case, bot_score, press, passed) in cases {
        let verdict = decide(&Checks::default(), &Facts { bot_score, press, passed, ..Facts::default() });
        let slowed = matches!(verdict, Verdict::Enter(passed) if passed.has(Door::SLOWED));
        assert!(!slowed, "{case}: {verdict:?}");
    }
    let bot = Facts { bot_score: Some(1), press: FLOOD, passed: Door::WORK, ..Facts::default() };
    assert_eq!(decide(&Checks::default(), &bot), Verdict::Enter(Door::WORK.with(Door::SLOWED)), "the rule does bite");
}

#[test]
fn the_way_follows_the_platform_and_the_price_suspicion() {
    let checks = Checks { challenge: Challenge::Turnstile, ..Checks::default() };
    let cases = [
        (Platform::Up, None, Press::default(), Way::Turnstile, 13),
        (Platform::Down, None, Press::default(), Way::Work, 13),
        (Platform::Unseen, None, Press::default(), Way::Work, 16),
        (Platform::Down, Some(20), Press::default(), Way::Work, 15),
        (Platform::Down, Some(1), FLOOD, Way::Work, 18),
        (Platform::Unseen, Some(1), FLOOD, Way::Work, 18),
    ];
    for (platform, bot_score, press, way, bits) in cases {
        let facts = Facts { platform, bot_score, press, ..Facts::default() };
        assert_eq!(decide(&checks, &facts), Verdict::Prove { ways: vec![way], bits }, "{platform:?} {bot_score:?}");
    }
}

#[test]
fn a_meter_allows_its_count_at_once_and_then_its_rate() {
    let rate = Rate { count: 10, per_ms: 1_000 };
    let mut meter = Meter::default();
    let allowed = (0..50).filter(|_| meter.take(rate, WallMs(5_000)).is_ok()).count();
    assert_eq!(allowed, 10);
    let wait = meter.take(rate, WallMs(5_000)).expect_err("it is full");
    assert!((100..=102).contains(&wait), "{wait}");
    assert!(meter.take(rate, WallMs(5_000 + wait)).is_ok(), "after the wait it told");
    let from = 5_000 + wait;
    let in_a_second = (0..1_000).filter(|ms| meter.take(rate, WallMs(from + ms)).is_ok()).count();
    assert!((9..=11).contains(&in_a_second), "{in_a_second}");
    assert!(!meter.is_empty(WallMs(from + 1_000)) && meter.is_empty(WallMs(from + 3_000)));
}

#[test]
fn half_a_rate_leaves_half_of_what_is_at_once() {
    let rate = Rate { count: 10, per_ms: 1_000 };
    let mut meter = Meter::default();
    let fresh = (0..50).filter(|_| meter.take(rate.half(), WallMs(0)).is_ok()).count();
    let stamped = (0..50).filter(|_| meter.take(rate, WallMs(0)).is_ok()).count();
    assert_eq!((fresh, stamped), (5, 5));
}

#[test]
fn a_riddle_is_solved_by_its_answer_only() {
    let answer = solve("riddle", 6).expect("64 tries a part");
    assert!(is_solved("riddle", 6, &answer));
    assert!(!is_solved("another", 6, &answer), "an answer belongs to its riddle");
    assert!(!is_solved("riddle", 6, &answer[1..]), "all {PARTS} parts");
    let mut swapped = answer.clone();
    swapped.swap(0, 1);
    assert!(!is_solved("riddle", 6, &swapped), "each in its place");
    assert!(!is_solved("riddle", 40, &answer), "more than was asked is not what was answered");
}
