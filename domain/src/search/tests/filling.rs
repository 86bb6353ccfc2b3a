//! How the index is filled: stock in words, generations, signatures, news.

use super::super::*;
use super::{NOW, doc};
use crate::time::WallMs;

#[test]
fn stock_is_told_in_three_words_and_blocked_places_do_not_count() {
    use crate::stock::Counts;
    let of = |free, sold, blocked| Left::of(&Counts { free, sold, blocked, ..Counts::default() });
    assert_eq!(
        [of(0, 5, 0), of(10, 90, 0), of(11, 89, 0), of(10, 10, 900)],
        [Left::None, Left::Few, Left::Plenty, Left::Plenty]
    );
}

#[test]
fn one_generation_is_filled_at_a_time_and_the_last_one_is_left_alone_for_a_while() {
    let slot = |slot, state, number, since| Generation { slot, state, number, since_ms: WallMs(since) };
    let fresh = [slot(0, State::Live, 0, 0), slot(1, State::Idle, 0, 0)];
    let (number, statements) = begin(&fresh, NOW).expect("nothing is in the way");
    assert_eq!((number, statements.len()), (1, 3));
    assert!(statements.iter().all(|s| s.sql.contains("slot = 1") && s.sql.matches('?').count() == s.args.len()));
    let filling = [slot(0, State::Live, 0, 0), slot(1, State::Filling, 1, NOW.0)];
    assert_eq!(begin(&filling, NOW).map(|(number, _)| number), Ok(2), "a filling that never ended is given up");
    assert_eq!(switch(&filling, 2, NOW), Err(Refusal::Overtaken));
    assert_eq!(switch(&fresh, 0, NOW), Err(Refusal::Overtaken));
    assert!(switch(&filling, 1, NOW).is_ok());
    let switched = [slot(0, State::Idle, 0, NOW.0), slot(1, State::Live, 1, NOW.0)];
    assert_eq!(begin(&switched, NOW.plus(SETTLE_MS - 1)), Err(Refusal::Settling));
    let (number, statements) = begin(&switched, NOW.plus(SETTLE_MS)).expect("a minute later");
    assert!(number == 2 && statements.iter().all(|s| s.sql.contains("_0") || s.sql.contains("slot = 0")));
}

#[test]
fn a_call_is_good_for_its_path_its_body_and_a_few_minutes() {
    use crate::keys::MasterKeys;
    let keys = |text: &str| MasterKeys::parse(text).expect("keys");
    let (old, both) =
        (keys("1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"), "2:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE");
    let rotated = keys(&format!("{both},1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"));
    let signed = sign("/v1/search/events", b"body", &old, NOW);
    let check =
        |header: &str, path: &str, body: &[u8], later: i64| verify(header, path, body, &rotated, NOW.plus(later));
    assert_eq!(check(&signed, "/v1/search/events", b"body", 300_000), Ok(()), "the older key still verifies");
    assert_eq!(check(&sign("/p", b"", &rotated, NOW), "/p", b"", -300_000), Ok(()));
    let other = sign("/v1/search/events", b"body", &keys("1:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"), NOW);
    let refused = [
        (signed.as_str(), "/v1/search/generations", &b"body"[..], 0),
        (&signed, "/v1/search/events", b"Body", 0),
        (&signed, "/v1/search/events", b"body", 301_000),
        (&signed, "/v1/search/events", b"body", -301_000),
        (&other, "/v1/search/events", b"body", 0),
        (&signed.replace("k=1", "k=2"), "/v1/search/events", b"body", 0),
        (&signed.replace("k=1", "k=3"), "/v1/search/events", b"body", 0),
        (&format!("{signed},v1=00"), "/v1/search/events", b"body", 0),
        ("", "/v1/search/events", b"body", 0),
        ("t=1,k=1,v1=zz", "/v1/search/events", b"body", 0),
    ];
    for (header, path, body, later) in refused {
        assert_eq!(check(header, path, body, later), Err(NotSigned), "{header} {path} {later}");
    }
}

#[test]
fn news_get_a_version_before_they_are_told_and_nobody_gives_the_same_one_twice() {
    use crate::plan::Rule;
    use crate::plan::memory::World;
    let now = |name: &str| Doc { name: name.into(), version: 0, ..doc("a") };
    let mut table = World::new();
    let last = |table: &World| {
        let item = table.get(&crate::items::key::notice(&doc("a").id))?;
        Some(Notice::from_item(item).expect("as it was written"))
    };
    let Step::Note(first) = step(None, now("One"), NOW) else { panic!("nothing was said yet") };
    let Step::Note(rival) = step(None, now("Two"), NOW) else { panic!("nothing was said yet") };
    table.commit(&first.plan().expect("a plan")).expect("the first word");
    assert!(table.commit(&rival.plan().expect("a plan")).is_err(), "who read before it was written is overtaken");
    let noted = last(&table).expect("a notice");
    assert_eq!((noted.doc.version, noted.told), (1, false));
    assert_eq!(
        step(Some(&noted), now("One"), NOW.plus(1)),
        Step::Tell(Doc { version: 1, changed_at_ms: Some(NOW), ..now("One") }),
        "whoever noted it may have died"
    );
    let told = Told { event: doc("a").id, version: 1 };
    table.commit(&told.plan().expect("a plan")).expect("it is told");
    let noted = last(&table).expect("a notice");
    assert_eq!(step(Some(&noted), now("One"), NOW.plus(1)), Step::Rest);
    let Step::Note(second) = step(Some(&noted), now("Two"), NOW) else { panic!("this is news") };
    table.commit(&second.plan().expect("a plan")).expect("the second word");
    assert!(table.commit(&told.plan().expect("a plan")).is_err(), "what was told is not the last word any more");
    assert_eq!(last(&table).map(|noted| (noted.doc.version, noted.told)), Some((2, false)));

    // Without the condition the rival gives the same version to other words, and the index keeps whichever came first.
    let mut unguarded = rival.plan().expect("a plan");
    unguarded.writes.iter_mut().for_each(|write| write.expect = crate::plan::Cond::Always);
    let mut table = World::new();
    table.commit(&first.plan().expect("a plan")).expect("the first word");
    table.commit(&unguarded).expect("nothing stands in its way");
    assert_eq!(last(&table).map(|noted| (noted.doc.version, noted.doc.name)), Some((1, "Two".into())));
}

#[test]
fn what_sells_all_day_is_no_new_page_each_time() {
    let notice = |doc| Notice { doc, told: true };
    let note = |last: Option<&Notice>, doc, at| match step(last, doc, at) {
        Step::Note(note) => note.doc,
        other => panic!("news: {other:?}"),
    };
    let (first, later) = (note(None, doc("a"), NOW), NOW.plus(60_000));
    assert_eq!(first.changed_at_ms, Some(NOW));
    let fewer = note(Some(&notice(first)), Doc { left: Left::Few, ..doc("a") }, later);
    assert_eq!((fewer.version, fewer.changed_at_ms), (2, Some(NOW)));
    let renamed = note(Some(&notice(fewer)), Doc { left: Left::Few, name: "Another".into(), ..doc("a") }, later);
    assert_eq!((renamed.version, renamed.changed_at_ms), (3, Some(later)));
}

#[test]
fn a_map_has_a_part_for_each_month_and_no_part_has_more_than_is_quickly_read() {
    let month = |month: &str, events| Month { month: month.into(), events };
    let months = [month("2027-06", 10_001), month("2027-12", 1)];
    let xml = index_xml("https://a.example", &months);
    let maps: Vec<_> =
        xml.lines().filter_map(|line| line.split_once("/sitemap/")?.1.split_once('<')).map(|(name, _)| name).collect();
    assert_eq!(maps, ["pages.xml", "2027-06-1.xml", "2027-06-2.xml", "2027-12-1.xml"]);
    for none in ["2027-06-3.xml", "2027-06-0.xml", "2027-06-1", "2027-07-1.xml", "../2027-06-1.xml", ""] {
        assert_eq!(Part::named(none, &months), None, "{none}");
    }
    let args = |name: &str| Part::named(name, &months).and_then(|part| part.entries(1, NOW)).expect("a part").args;
    let row = |local: &str| Arg::Int(Doc { starts_local: local.into(), ..doc("a") }.first_row());
    assert_eq!(args("2027-06-2.xml")[..2], [row("2027-06-01T00:00"), row("2027-07-01T00:00")]);
    assert_eq!(args("2027-12-1.xml")[..2], [row("2027-12-01T00:00"), row("2028-01-01T00:00")]);
    let entry = |changed: Option<&str>| Entry { id: doc("a").id, changed: changed.map(str::to_owned) };
    let part = part_xml("https://a.example", &[entry(None), entry(Some("2027-03-01T09:00:00Z"))]);
    assert!(part.contains("<url><loc>https://a.example/e/a</loc></url>\n"), "{part}");
    assert!(part.contains("/e/a</loc><lastmod>2027-03-01T09:00:00Z</lastmod></url>"), "{part}");
}
