//! A change of a seat on its way to the map that readers get: how long it takes while others hold seats and read.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::Context;
use domain::map::chart::Document;
use domain::map::code::Rows;
use futures::future::{join, join_all, try_join_all};
use onsale::fan::Api;
use reqwest::Method;
use serde_json::json;
use tests::{Origin, Scene};

const BUYERS: u64 = 4;
const READERS: u64 = 12;
const SEATS: u32 = 4_000;
const LONG: Duration = Duration::from_secs(20);
/// What a fan is promised, for 99 of 100 changes.
const WITHIN: Duration = Duration::from_secs(3);

/// A seat by its section's position in the order of ids, and its own in the section.
type Seat = (usize, usize);

/// The map as a reader puts it together, and when each seat was first seen taken.
struct Watch {
    layout: Vec<Rows>,
    version: Option<u64>,
    states: Vec<Vec<u8>>,
    seen: BTreeMap<Seat, Instant>,
    looks: usize,
    bytes: usize,
}

impl Watch {
    fn of(scene: &Scene) -> Self {
        let sections = &scene.event.layout.sections;
        let rows = sections.iter().map(|s| (s.id.clone(), s.rows.iter().map(|row| row.seats.len()).collect::<Rows>()));
        let layout: Vec<Rows> = rows.collect::<BTreeMap<_, _>>().into_values().collect();
        let states = layout.iter().map(|rows| vec![0; rows.iter().sum()]).collect();
        Self { layout, version: None, states, seen: BTreeMap::new(), looks: 0, bytes: 0 }
    }

    async fn look(&mut self, api: &Api, access: &str) -> anyhow::Result<()> {
        // As a page does, it goes on with what it has where an answer fails for the moment.
        let bytes = match api.seatmap(access, self.version).await {
            Err(error) if error.is_passing() => return Ok(()),
            answer => answer?,
        };
        (self.looks, self.bytes) = (self.looks + 1, self.bytes + bytes.len());
        if bytes.is_empty() {
            return Ok(());
        }
        let document = Document::read(&bytes, &self.layout)?;
        let (now, mut states) = (Instant::now(), document.states.iter());
        for section in document.sections {
            for (seat, state) in self.states[section].iter_mut().enumerate() {
                *state = *states.next().context("as many states as seats")?;
                if *state != 0 {
                    self.seen.entry((section, seat)).or_insert(now);
                }
            }
        }
        self.version = Some(document.version);
        Ok(())
    }
}

/// Pairs of neighbours that leave no single seat, row by row, with their ids; each buyer has rows of its own.
fn pairs(scene: &Scene, buyer: u64) -> Vec<([Seat; 2], [String; 2])> {
    let mut sections: Vec<_> = scene.event.layout.sections.iter().collect();
    sections.sort_by(|a, b| a.id.cmp(&b.id));
    let mut pairs = Vec::new();
    for (at, section) in sections.into_iter().enumerate() {
        let mut first = 0;
        for (n, row) in section.rows.iter().enumerate() {
            let id = |seat: usize| row.seats[seat].id_in(&section.id, &row.label).expect("an id").to_string();
            let own = (0..row.seats.len() / 2).map(|pair| 2 * pair);
            if n as u64 % BUYERS == buyer {
                pairs.extend(own.map(|s| ([(at, first + s), (at, first + s + 1)], [id(s), id(s + 1)])));
            }
            first += row.seats.len();
        }
    }
    pairs
}

/// Holds pairs until the time is over; tells which seats, and when that was answered.
async fn buy(scene: &Scene, origin: &Origin, buyer: u64, end: Instant) -> anyhow::Result<Vec<(Seat, Instant)>> {
    let mut held = Vec::new();
    for (n, (seats, ids)) in (0_u64..).zip(pairs(scene, buyer)) {
        if Instant::now() > end {
            break;
        }
        let access = origin.access(1_000 * (buyer + 1) + n);
        let answer = origin.send(Method::POST, "/holds", &access, "key", &json!({ "seats": ids })).await?;
        if answer.status() == 201 {
            held.extend(seats.map(|seat| (seat, Instant::now())));
        }
    }
    Ok(held)
}

/// Reads as a page does, ten times as often.
async fn read(scene: &Scene, access: &str, end: Instant) -> anyhow::Result<()> {
    let mut watch = Watch::of(scene);
    while Instant::now() < end {
        watch.look(scene.api(), access).await?;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_committed_change_is_on_the_map_within_three_seconds() -> anyhow::Result<()> {
    let scene = Scene::open(SEATS, Duration::ZERO).await?;
    scene.status_until("an open on-sale", async |status| status.phase == "open").await?;
    let (origin, mut watch) = (Origin::of(&scene)?, Watch::of(&scene));
    let access: Vec<String> = (0..=READERS).map(|reader| origin.access(reader)).collect();
    tests::scene::wait("a map", Duration::from_secs(40), async || {
        Ok(scene.api().seatmap(&access[0], None).await.is_ok())
    })
    .await?;
    let end = Instant::now() + LONG;
    let buyers = join_all((0..BUYERS).map(|buyer| buy(&scene, &origin, buyer, end)));
    let readers = try_join_all(access[1..].iter().map(|access| read(&scene, access, end)));
    let watching = async {
        while Instant::now() < end + 2 * WITHIN {
            watch.look(scene.api(), &access[0]).await?;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        anyhow::Ok(())
    };
    let (held, (watched, others)) = join(buyers, join(watching, readers)).await;
    watched.and(others)?;
    let held: Vec<(Seat, Instant)> = held.into_iter().collect::<anyhow::Result<Vec<_>>>()?.concat();
    let never = held.iter().filter(|(seat, _)| !watch.seen.contains_key(seat)).count();
    assert_eq!(never, 0, "of {} seats", held.len());
    let mut waits: Vec<Duration> =
        held.iter().map(|(seat, at)| watch.seen[seat].saturating_duration_since(*at)).collect();
    waits.sort_unstable();
    let at = |percent: usize| waits[(waits.len() * percent).div_ceil(100) - 1];
    println!(
        "{} seats were held, on the map after p50 {:?}, p99 {:?}, at most {:?}; {} looks got {} bytes",
        waits.len(),
        at(50),
        at(99),
        at(100),
        watch.looks,
        watch.bytes
    );
    assert!(waits.len() > 50, "{} seats", waits.len());
    assert!(at(99) <= WITHIN, "p99 {:?}", at(99));
    Ok(())
}
