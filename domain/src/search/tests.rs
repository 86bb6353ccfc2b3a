use super::*;
use crate::time::WallMs;

/// 2027-03-01T09:00:00Z.
const NOW: WallMs = WallMs(1_803_891_600_000);

fn doc(id: &str) -> Doc {
    serde_json::from_value(serde_json::json!({
        "id": id, "version": 1, "listed": true, "name": "Café Müller: 東京ナイト", "venue": "Sjøhuset", "zone": "Europe/Oslo",
        "point": {"latitude": 59.91, "longitude": 10.75}, "starts_local": "2027-06-12T20:00",
        "starts_at_ms": 1_812_823_200_000_i64, "ends_at_ms": 1_812_834_000_000_i64, "opens_at_ms": 1_803_891_600_000_i64,
        "currency": "EUR", "from_minor": 2145, "to_minor": 10450, "left": "plenty",
    }))
    .expect("a document")
}

fn query(text: &str) -> Result<Query, BadQuery> {
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    let pairs: Vec<_> = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    Query::parse(&pairs, NOW)
}

fn spaced(text: &str) -> Vec<Word> {
    text.split(' ').map(|word| Word::Spaced(word.to_owned())).collect()
}

#[test]
fn letters_are_compared_without_case_marks_and_what_people_do_not_type() {
    let cases = [
        ("Ångström", "angstrom"),
        ("STRASSE Straße", "strasse strasse"),
        ("Łódź, Đặng", "lodz, dang"),
        ("İstanbul ısı", "istanbul isi"),
        ("ﬁ ① Ｆｕｌｌ", "fi 1 full"),
        ("Ὀδυσσεύς", "οδυσσευσ"),
        ("Ёлка й", "елка и"),
        ("مُوسِيقَى إلى أحمـد", "موسيقي الي احمد"),
        ("شب‌های ایرانی", "شبهاي ايراني"),
        ("בְּרֵאשִׁית", "בראשית"),
        ("ｶﾞｰﾙ ガール がーる", "がーる がーる がーる"),
        ("서울 콘서트", "서울 콘서트"),
        ("कॉन्सर्ट", "कॉन्सर्ट"),
    ];
    for (text, want) in cases {
        assert_eq!(fold(text), want, "{text}");
        assert_eq!(fold(want), want, "folding twice is folding once: {text}");
    }
}

#[test]
fn words_end_at_what_is_no_letter_and_scripts_without_spaces_are_runs() {
    assert_eq!(words("Rock'n'Roll – 2027!"), spaced("rock n roll 2027"));
    assert_eq!(words("AKB48劇場"), [Word::Spaced("akb48".into()), Word::Dense(vec!['劇', '場'])]);
    assert_eq!(words("คอนเสิร์ต").len(), 1);
    assert_eq!(words("हिन्दी संगीत").len(), 2);
    assert_eq!(words("?! 🎸 \" * ( ^"), []);
}

#[test]
fn a_document_is_indexed_by_all_that_can_be_asked_for() {
    let doc = doc("a");
    assert_eq!(doc.text(), "cafe muller 東 京 な い と  sjohuset ");
    assert_eq!(doc.tags(), "g0x1907y1499 g1x381y299 g2x95y74 g3x23y18 g4x6y4 peur12 open");
    assert_eq!(doc.first_row(), (1_812_830_400 / 60) << 19);
    let gone = Doc { left: Left::None, point: None, ..doc };
    assert_eq!(gone.tags(), "peur12");
}

#[test]
fn documents_that_make_no_sense_are_refused_by_their_field() {
    let now_here = Some(Point { latitude: 91.0, longitude: 0.0 });
    let bad = [
        ("version", Doc { version: 1 << 53, ..doc("a") }),
        ("version", Doc { version: -1, ..doc("a") }),
        ("name", Doc { name: String::new(), ..doc("a") }),
        ("name", Doc { description: Some("x".repeat(4_001)), ..doc("a") }),
        ("point", Doc { point: now_here, ..doc("a") }),
        ("point", Doc { point: Some(Point { latitude: f64::NAN, longitude: 0.0 }), ..doc("a") }),
        ("starts_local", Doc { starts_local: "2027-02-30T20:00".into(), ..doc("a") }),
        ("starts_local", Doc { starts_local: "9999-01-01T20:00".into(), ..doc("a") }),
        ("changed_at_ms", Doc { changed_at_ms: Some(WallMs(-1)), ..doc("a") }),
        ("ends_at_ms", Doc { ends_at_ms: WallMs(0), ..doc("a") }),
        ("from_minor", Doc { from_minor: 20_000, ..doc("a") }),
    ];
    for (field, doc) in bad {
        assert_eq!(doc.check().expect_err(field).field, field);
        assert!(Batch::new(vec![doc]).is_err());
    }
    assert_eq!(doc("a").check(), Ok(()));
    assert_eq!(Batch::new(vec![]), Err(BadBatch::Number));
    assert_eq!(Batch::new((0..=BATCH).map(|n| doc(&format!("e{n}"))).collect()), Err(BadBatch::Number));
    assert_eq!(Batch::new(vec![doc("a"), doc("a")]), Err(BadBatch::Twice("a".parse().expect("an id"))));
    assert!(serde_json::from_str::<Doc>(r#"{"id":"a","more":1}"#).is_err());
}

#[test]
fn queries_that_make_no_sense_are_refused_by_their_parameter() {
    let long = format!("q={}", "x".repeat(201));
    let bad = [
        ("q", "q=%3F"),
        ("q", "q=!!"),
        ("q", &long),
        ("q", "q=a b c d e f g h i"),
        ("near", "near=here"),
        ("near", "near=91,0"),
        ("near", "near=nan,0"),
        ("near", "near=1,2,3"),
        ("near", "within_km=5"),
        ("within_km", "near=1,2&within_km=0"),
        ("within_km", "near=1,2&within_km=1001"),
        ("within_km", "near=1,2&within_km=inf"),
        ("from", "from=tomorrow"),
        ("from", "from=2027-02-29"),
        ("to", "from=2027-06-12&to=2027-06-11"),
        ("to", "to=2027-6-1"),
        ("currency", "currency=eur"),
        ("currency", "price_max=10"),
        ("price_max", "price_max=-1&currency=EUR"),
        ("price_max", "price_max=1.5&currency=EUR"),
        ("available", "available=yes"),
        ("after", "after=x"),
        ("limit", "limit=0"),
        ("limit", "limit=51"),
        ("limit", "limit=1&limit=2"),
    ];
    for (parameter, text) in bad.iter().filter(|(_, text)| *text != "q=%3F") {
        assert_eq!(query(text).expect_err(text).parameter, *parameter, "{text}");
    }
    let all = "q=a&near=53.5,9.9&within_km=5&from=2027-06-12&to=2027-06-12&currency=EUR&price_max=1&available=1&after=7&limit=50";
    assert!(query(all).is_ok() && query("").is_ok() && query("q=&near=&utm_source=x").is_ok());
}

#[test]
fn a_search_is_one_statement_with_as_many_values_as_marks() {
    let all = "q=Müll 東京&near=53.5,9.9&from=2027-06-12&to=2027-06-13&currency=EUR&price_max=5000&available=1&limit=5";
    for (text, table) in [(all, "words_1 CROSS JOIN event_1"), ("", "FROM event_1 e"), ("available=1", "words_1 CROSS")]
    {
        let statement = find(&query(text).expect(text), 1);
        assert_eq!(statement.sql.matches('?').count(), statement.args.len(), "{text}");
        assert!(statement.sql.contains(table), "{}", statement.sql);
    }
    let statement = find(&query(all).expect("good"), 0);
    let matched = statement.args.iter().find_map(|arg| match arg {
        Arg::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let matched = matched.expect("an expression");
    assert!(
        matched.starts_with("{text} : (\"mull\" * AND \"東 京\") AND {tags} : (open) AND {tags} : (peur0 OR"),
        "{matched}"
    );
    assert!(statement.sql.ends_with("ORDER BY words_0.rowid LIMIT 6"));
}

#[test]
fn searches_that_mean_the_same_have_one_key() {
    let key = |text: &str| query(text).expect(text).key();
    let one = key("q=Café&limit=20&near=53.5,9.9");
    for same in [
        "near=53.50,9.90&q=cafe",
        "q=CAFE!&near=53.5,9.9&utm_source=mail&available=",
        "near=53.5,9.9&within_km=50&q=cafe",
    ] {
        assert_eq!(key(same), one, "{same}");
    }
    for other in ["q=cafes&near=53.5,9.9", "q=cafe", "q=cafe&near=53.5,9.9&limit=21", "q=cafe&near=53.5,9.9&after=7"] {
        assert_ne!(key(other), one, "{other}");
    }
    let later = Query::parse(&[], NOW.plus(59_999)).expect("good");
    assert_eq!(later.key(), Query::parse(&[], NOW).expect("good").key(), "within a minute");
}

#[test]
fn what_is_typed_never_becomes_part_of_the_query_language() {
    for text in ["q=a\" OR \"b", "q=NEAR(a b)", "q=text:a", "q=a* -b ^c {d} (e)", "q=NOT AND OR"] {
        let statement = find(&query(text).expect(text), 0);
        let Some(Arg::Text(matched)) = statement.args.first() else { panic!("an expression: {text}") };
        let inner = matched.trim_start_matches("{text} : (").trim_end_matches(')');
        for term in inner.split(" AND ") {
            let word = term.trim_start_matches('"').trim_end_matches("\" *");
            assert!(word.chars().all(char::is_alphanumeric), "{term}");
        }
    }
}

/// The great circle between two points by the haversine, for comparison.
fn haversine(a: Point, b: Point) -> f64 {
    let (p, q) = (a.latitude.to_radians(), b.latitude.to_radians());
    let (dp, dl) = (q - p, (b.longitude - a.longitude).to_radians());
    let h = (dp / 2.0).sin().powi(2) + p.cos() * q.cos() * (dl / 2.0).sin().powi(2);
    2.0 * 6371.0 * h.sqrt().min(1.0).asin()
}

#[test]
fn every_point_within_the_distance_lies_in_a_named_cell() {
    let at = |latitude: f64, longitude: f64| Point::new(latitude, longitude).expect("a place");
    let centres = [
        at(0.0, 0.0),
        at(53.5, 9.9),
        at(-41.3, 179.9),
        at(-17.0, -179.95),
        at(78.2, 15.6),
        at(-89.9, 0.0),
        at(90.0, 0.0),
    ];
    let (mut inside, mut checked) = (0, 0);
    for centre in centres {
        for km in [1.0, 5.0, 50.0, 300.0, 1_000.0] {
            let cells = centre.around(km);
            assert!(cells.len() <= 120, "{} cells around {centre:?}", cells.len());
            for n in 0..720_u32 {
                let turn = f64::from(n) * 0.61;
                let far = km / 111.0 * f64::from(n % 24) / 20.0;
                let latitude = centre.latitude + far * turn.sin();
                let longitude = centre.longitude + far * turn.cos() / latitude.to_radians().cos().max(0.001);
                let longitude = (longitude + 180.0).rem_euclid(360.0) - 180.0;
                let Some(point) = Point::new(latitude, longitude) else { continue };
                checked += 1;
                let distance = haversine(centre, point);
                let [a, b] = [centre.vector(), point.vector()];
                let chord = (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2) + (a[2] - b[2]).powi(2);
                assert!((place::kilometres(chord) - distance).abs() < 0.01 + distance * 1e-6);
                if distance > km * 0.999_9 {
                    assert!(distance < km * 1.000_1 || chord > place::chord_squared(km));
                    continue;
                }
                inside += 1;
                assert!(chord <= place::chord_squared(km));
                assert!(
                    point.cells().iter().any(|cell| cells.contains(cell)),
                    "{point:?} within {km} km of {centre:?}"
                );
            }
        }
    }
    assert!(inside > 5_000 && checked > inside + 1_000, "{inside} of {checked}");
}

mod filling;
