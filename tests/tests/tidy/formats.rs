//! The worked examples of docs/formats.md, computed: whoever writes a verifier from the document gets the code's values.

use domain::beacon::{Chain, Round, SCHEME};
use domain::bytes32::from_hex;
use domain::cohort::{BeaconDraw, Cut, Leaf, Row, Sealed, Shard, entry_leaf, pseudonym, seal, shard_of};
use domain::ids::{AccountId, EventId};
use domain::keys::{KeyKind, MasterKeys};
use domain::map::chart::{Chart, Part, Sheet};
use domain::merkle::Hash;
use domain::outbox::SigningKeys;
use domain::time::WallMs;
use domain::token::{Door, Entrance, PlaceToken, Token as _};
use serde_json::json;

const MASTER: &str = "1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
const OPENING: WallMs = WallMs(1_800_000_000_000);
const FANS: [&str; 5] = ["ada", "bo", "cyd", "dee", "eve"];

struct Example {
    keys: MasterKeys,
    event: EventId,
}

fn example() -> Example {
    let keys = MasterKeys::parse(MASTER).expect("a master key");
    Example { keys, event: "demo".parse().expect("an event id") }
}

fn account(name: &str) -> AccountId {
    AccountId::derive("dev", name)
}

impl Example {
    fn token(&self) -> String {
        let token = PlaceToken {
            account: account("ada"),
            shard: 3,
            epoch: 1,
            index: 41,
            joined: WallMs(1_800_000_000_123),
            place: 1234,
            cohort: 7,
            entrance: Entrance { lane: 2, door: Door::WORK.with(Door::CLAIMS) },
            rev: 5,
            expires: WallMs(1_800_100_000_000),
        };
        token.encode(&self.keys, &self.event)
    }

    fn leaf(&self, name: &str) -> Leaf {
        let at = FANS.iter().position(|fan| *fan == name).expect("one of the five");
        let key = self.keys.signing_key(KeyKind::Pseudonym, &self.event);
        let time = OPENING.plus(-5_000 + 1_000 * i64::try_from(at).expect("small"));
        Leaf { pseudonym: pseudonym(&key, &account(name)), time }
    }

    /// The five, sealed as cohort 0.
    fn sealed(&self) -> Sealed {
        let cut = Cut { k: 0, t: OPENING };
        let fans_of = |shard| FANS.into_iter().filter(move |name| shard_of(&account(name), 2) == shard);
        let answers = [0, 1].map(|number| {
            let mut shard = Shard::new(number, 0, None);
            let leaves: Vec<Leaf> = fans_of(number).map(|name| self.leaf(name)).collect();
            for leaf in &leaves {
                let entry = shard.append(OPENING, leaf.time);
                shard.record(&entry);
            }
            shard.cut(&cut, &leaves).expect("a first cut").1
        });
        seal(None, &cut, &[0, 0], &answers).expect("all answered").expect("five people")
    }

    /// The row of cohort 0 and the places of the five.
    fn draw(&self, beacon: Option<BeaconDraw>) -> (Row, Vec<(Option<u64>, &'static str)>) {
        let fans_of = |shard| FANS.into_iter().filter(move |name| shard_of(&account(name), 2) == shard);
        let row = self.sealed().draw(&self.keys.signing_key(KeyKind::DrawSecret, &self.event), beacon);
        let indexed =
            [0, 1].into_iter().flat_map(|shard| (0..).zip(fans_of(shard)).map(move |(i, name)| (shard, i, name)));
        let mut places: Vec<_> = indexed.map(|(shard, index, name)| (row.place_of(shard, 0, index), name)).collect();
        places.sort_unstable();
        (row, places)
    }
}

/// Quicknet, and its round 123: both real.
fn quicknet() -> (Chain, Round) {
    let chain = Chain {
        chain: hash("52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"),
        public_key: hash(concat!(
            "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451",
            "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
        )),
        genesis_s: 1_692_803_367,
        period_s: 3,
        scheme: SCHEME.to_owned(),
    };
    let signature = "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92";
    (chain, Round { round: 123, signature: hash(signature) })
}

fn hash<const N: usize>(text: &str) -> [u8; N] {
    from_hex(text).expect("hex of the right length")
}

/// What the document must say about the beacon.
fn of_beacon(example: &Example, wanted: &mut Vec<(&'static str, String)>) {
    let (chain, round) = quicknet();
    assert!(chain.is_signed(&round), "the round is real");
    let sealed = OPENING.plus(2_100);
    let next = chain.round_for(sealed);
    wanted.push(("round", format!("round {next}, due at {}", grouped(chain.time_of(next).0))));
    wanted.push(("signature", hex(&round.signature)));
    wanted.push(("public key", hex(&chain.public_key)));
    wanted.push(("randomness", hex(&round.randomness())));
    let (row, places) = example.draw(Some(BeaconDraw { sealed, round }));
    wanted.push(("seed with a beacon", hex(&row.seed)));
    wanted.push(("places with a beacon", sentence(&places)));
    let cyd = example.leaf("cyd");
    wanted.push(("path", hex(&entry_leaf(&cyd.pseudonym, cyd.time))));
}

/// What the document must say about messages to organisers.
fn of_webhooks(example: &Example, wanted: &mut Vec<(&'static str, String)>) {
    let keys = SigningKeys::of(&example.keys, &example.event);
    wanted.extend(keys.secrets().map(|secret| ("webhook secret", secret)));
    let body = r#"{"specversion":"1.0"}"#;
    wanted.push(("webhook signature", keys.sign("AAAAAAAAAAAAAAAAAAAAAA.1", OPENING, body)));
}

/// Thousands set apart by commas.
fn grouped(number: i64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

fn sentence(places: &[(Option<u64>, &'static str)]) -> String {
    let each = places.iter().map(|(place, name)| format!("`{name}` {}", place.unwrap_or_default()));
    each.collect::<Vec<_>>().join(", ")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A map of two sections and a pool, whole and without its second section.
fn seat_maps() -> [(&'static str, String); 2] {
    let sections = json!({
        "A": { "rows": [6, 6], "states": "oEDB" },
        "B": { "rows": [2], "states": "Dw==", "channels": { "club": "Aw==" } },
    });
    let sheet = json!({ "version": 300, "sections": sections, "pools": { "floor": { "free": 340 } } });
    let chart = Chart::after(None, Sheet::read(&sheet).expect("a map"));
    [Part::Whole, Part::Some(vec![0])].map(|part| ("seat map", hex(&chart.write(&part))))
}

/// Parts of the worked examples that the document lacks.
pub fn findings(document: &str) -> Vec<String> {
    let example = example();
    let (row, places) = example.draw(None);
    let ada = example.leaf("ada");
    let secret: Hash = example.keys.signing_key(KeyKind::DrawSecret, &example.event);
    let mut wanted = vec![
        ("pseudonym", hex(&ada.pseudonym)),
        ("leaf", hex(&entry_leaf(&ada.pseudonym, ada.time))),
        ("secret", hex(&secret)),
        ("seed", hex(&row.seed)),
    ];
    wanted.extend(row.cuts.iter().map(|cut| ("root", hex(&cut.root))));
    wanted.push(("places", sentence(&places)));
    of_beacon(&example, &mut wanted);
    wanted.push(("token", example.token()));
    of_webhooks(&example, &mut wanted);
    wanted.extend(seat_maps());
    let plain = document.replace(['\n', ' '], "");
    let missing = wanted.iter().filter(|(_, text)| !plain.contains(&text.replace(' ', "")));
    missing.map(|(name, text)| format!("{name}: {text} is not in docs/formats.md")).collect()
}
