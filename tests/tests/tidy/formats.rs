//! The worked examples of docs/formats.md, computed: whoever writes a verifier from the document gets the code's values.

use domain::cohort::{Cut, Leaf, Row, Shard, close, entry_leaf, pseudonym, shard_of};
use domain::ids::{AccountId, EventId};
use domain::keys::{KeyKind, MasterKeys};
use domain::merkle::Hash;
use domain::time::WallMs;
use domain::token::{Door, Entrance, PlaceToken, Token as _};

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

    /// The row of cohort 0 and the places of the five.
    fn draw(&self) -> (Row, Vec<(&'static str, Option<u64>)>) {
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
        let secret = self.keys.signing_key(KeyKind::DrawSecret, &self.event);
        let row = close(None, &cut, &[0, 0], &answers, &secret, &[]).expect("all answered").expect("five people");
        let indexed =
            [0, 1].into_iter().flat_map(|shard| (0..).zip(fans_of(shard)).map(move |(i, name)| (shard, i, name)));
        let places = indexed.map(|(shard, index, name)| (name, row.place_of(shard, 0, index))).collect();
        (row, places)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Parts of the worked examples that the document lacks.
pub fn findings(document: &str) -> Vec<String> {
    let example = example();
    let (row, places) = example.draw();
    let ada = example.leaf("ada");
    let secret: Hash = example.keys.signing_key(KeyKind::DrawSecret, &example.event);
    let mut wanted = vec![
        ("pseudonym", hex(&ada.pseudonym)),
        ("leaf", hex(&entry_leaf(&ada.pseudonym, ada.time))),
        ("secret", hex(&secret)),
        ("seed", hex(&row.seed)),
    ];
    wanted.extend(row.cuts.iter().map(|cut| ("root", hex(&cut.root))));
    let mut placed: Vec<_> = places.into_iter().map(|(name, place)| (place, name)).collect();
    placed.sort_unstable();
    let sentence = placed.iter().map(|(place, name)| format!("`{name}` {}", place.unwrap_or_default()));
    wanted.push(("places", sentence.collect::<Vec<_>>().join(", ")));
    wanted.push(("token", example.token()));
    let plain = document.replace(['\n', ' '], "");
    let missing = wanted.iter().filter(|(_, text)| !plain.contains(&text.replace(' ', "")));
    missing.map(|(name, text)| format!("{name}: {text} is not in docs/formats.md")).collect()
}
