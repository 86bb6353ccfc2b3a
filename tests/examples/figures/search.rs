//! How long a search takes among 100,000 events: one kind of search after the other, one at a time, by a header that keeps
//! copies of earlier answers out of it. The worst kinds are among them: words that a third of all events have, single letters,
//! and searches that match nothing but must look at much.

use std::time::{Duration, Instant};

use domain::keys::MasterKeys;
use domain::search::{BATCH, Doc};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use onsale::build::{self, BuildError, What};
use onsale::edge::{self, EdgeBundle, EdgeConfig, Outside, Profile, Workerd};
use onsale::search::Index;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

const EVENTS: usize = 100_000;
const SEARCHES: usize = 300;
const KEYS: &str = "1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
/// Every third event has one of the first four words.
const KINDS: [&str; 12] = [
    "Concert",
    "Konzert",
    "Festival",
    "Théâtre",
    "Opera",
    "Jazz",
    "Comedy",
    "Ballet",
    "東京ライブ",
    "حفلة",
    "콘서트",
    "Концерт",
];
const CITIES: [(&str, f64, f64); 10] = [
    ("Hamburg", 53.55, 9.99),
    ("München", 48.14, 11.58),
    ("Paris", 48.86, 2.35),
    ("London", 51.51, -0.13),
    ("東京", 35.68, 139.76),
    ("القاهرة", 30.04, 31.24),
    ("서울", 37.57, 126.98),
    ("São Paulo", -23.55, -46.63),
    ("New York", 40.71, -74.01),
    ("Suva", -18.14, 178.44),
];
/// Syllables that names are made of.
const SYLLABLES: [&str; 20] = [
    "ka", "lo", "mi", "ne", "ru", "sa", "to", "vi", "ze", "ba", "du", "fe", "gi", "ho", "ja", "ly", "pe", "qui", "xo",
    "wä",
];

/// The development build of the Worker, with the runtime that it needs.
fn built() -> Result<EdgeBundle, BuildError> {
    build::only(What::Edge, Profile::Dev, &())?;
    Ok(edge::build(Profile::Dev)?)
}

/// Fills an index, searches it, and prints a line for each kind.
pub async fn measure() -> anyhow::Result<()> {
    let bundle = tokio::task::spawn_blocking(built).await??;
    let folder = tempfile::tempdir()?;
    let worker = Workerd::spawn(&bundle, &config(folder.path())).await?;
    let index = Index::new(&worker.url(), MasterKeys::parse(KEYS)?);
    let started = Instant::now();
    fill(&index).await?;
    println!("| {EVENTS} events into the index | {:.0} s |", started.elapsed().as_secs_f64());
    // One connection, which is not part of it.
    let client = reqwest::Client::new();
    client.get(format!("{}/v1/ping", worker.url())).send().await?.bytes().await?;
    let mut all = Vec::new();
    for (what, ask) in asks() {
        let mut times = Vec::new();
        let mut found = 0;
        for n in 0..SEARCHES {
            let (time, events) = search(&client, &worker.url(), &ask(n)).await?;
            times.push(time);
            found += events;
        }
        all.extend_from_slice(&times);
        println!(
            "| {what}: p50, p99; events an answer | {}; {:.1} |",
            shown(&mut times),
            found as f64 / SEARCHES as f64
        );
    }
    println!("| all kinds: p50, p99 | {} |", shown(&mut all));
    println!("| index, file | {} MB |", bytes_of(&folder.path().join("onsale-search"))? / 1_000_000);
    Ok(())
}

/// Bytes of the files in a folder.
fn bytes_of(folder: &std::path::Path) -> std::io::Result<u64> {
    std::fs::read_dir(folder)?.map(|file| Ok(file?.metadata()?.len())).sum()
}

fn shown(times: &mut [Duration]) -> String {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize].as_secs_f64() * 1_000.0;
    format!("{:.1}, {:.1} ms", at(0.5), at(0.99))
}

async fn search(client: &reqwest::Client, url: &str, query: &str) -> anyhow::Result<(Duration, usize)> {
    let started = Instant::now();
    let answer = client
        .get(format!("{url}/v1/events?{query}"))
        .header("X-Test-No-Copy", "1")
        .send()
        .await?
        .error_for_status()?;
    let body: Value = answer.json().await?;
    Ok((started.elapsed(), body["events"].as_array().map_or(0, Vec::len)))
}

type Ask = Box<dyn Fn(usize) -> String>;

fn asks() -> Vec<(&'static str, Ask)> {
    let syllable = |n: usize| SYLLABLES[n % SYLLABLES.len()];
    let day = |n: usize| {
        let at = Timestamp::now() + Duration::from_secs(86_400 * (n as u64 + 1));
        at.to_zoned_datetime(TimeZone::UTC).strftime("%Y-%m-%d").to_string()
    };
    let near = |n: usize| format!("near={},{}", CITIES[n % 10].1, CITIES[n % 10].2);
    vec![
        ("nothing but the time", Box::new(|_| String::new())),
        ("a word of every twelfth event", Box::new(|n| format!("q={}", KINDS[n % 12]))),
        ("a single letter", Box::new(|n| format!("q={}", char::from(b'a' + (n % 26) as u8)))),
        ("the beginning of a name", Box::new(move |n| format!("q={}{}", syllable(n), syllable(n / 20)))),
        ("two words that never meet", Box::new(|_| "q=Concert%20Konzert".to_owned())),
        ("a word and a letter", Box::new(|n| format!("q=festival%20{}", char::from(b'a' + (n % 26) as u8)))),
        ("around a city", Box::new(near)),
        ("a word within 1000 km", Box::new(move |n| format!("q=jazz&within_km=1000&{}", near(n)))),
        ("a word where there is nothing", Box::new(|_| "q=concert&near=0,-30&within_km=1000".to_owned())),
        ("a word for nearly nothing", Box::new(|_| "q=concert&currency=EUR&price_max=1001".to_owned())),
        ("one day", Box::new(move |n| format!("from={0}&to={0}", day(n)))),
        (
            "a word of one day with tickets left",
            Box::new(move |n| format!("q=opera&available=1&from={0}&to={0}", day(n))),
        ),
        ("a word that every event has", Box::new(|_| "q=doors".to_owned())),
        ("the first four letters of it", Box::new(|_| "q=door".to_owned())),
        ("eight words that every event has", Box::new(|_| "q=doors+open+an+hour+before+the+show+hall".to_owned())),
        ("two beginnings that never meet", Box::new(|_| "q=konz+conc".to_owned())),
        ("a letter that no name begins with", Box::new(|n| format!("q={}", ["g0", "peur", "open1", "g4x"][n % 4]))),
        ("one Han letter", Box::new(|_| "q=京".to_owned())),
        ("a run of Han and kana", Box::new(|_| "q=東京ライブ".to_owned())),
        ("Arabic, one letter and a word", Box::new(|n| format!("q={}", ["ح", "حفلة", "حف", "القاهرة"][n % 4]))),
        (
            "everything at once",
            Box::new(move |n| format!("q=o&available=1&currency=EUR&price_max=3000&from={}&{}", day(n), near(n))),
        ),
        ("a hundred metres of a city", Box::new(move |n| format!("within_km=0.1&{}", near(n)))),
        ("a price just below most", Box::new(|_| "currency=EUR&price_max=16384".to_owned())),
        ("what was long ago", Box::new(|_| "q=concert&from=2000-01-01".to_owned())),
        ("no words since long ago", Box::new(|_| "from=2000-01-01".to_owned())),
        ("a page far on", Box::new(|n| format!("q=concert&after={}", far_row(n as i64)))),
        ("the last page", Box::new(|_| "q=concert&from=2199-01-01".to_owned())),
    ]
}

/// A row of a day some months from now.
fn far_row(n: i64) -> i64 {
    (Timestamp::now().as_second() / 60 + 1_440 * (300 + n)) << 19
}

async fn fill(index: &Index) -> anyhow::Result<()> {
    let mut rng = StdRng::seed_from_u64(5);
    let mut docs = Vec::new();
    for n in 0..EVENTS {
        docs.push(doc(n, &mut rng)?);
        if docs.len() == BATCH || n + 1 == EVENTS {
            index.fill(&std::mem::take(&mut docs)).await?;
        }
    }
    Ok(())
}

/// Evenings of two years from now on, most of them at the same few times, as evenings are.
fn doc(n: usize, rng: &mut StdRng) -> anyhow::Result<Doc> {
    let mut name = || (0..3).map(|_| SYLLABLES[rng.random_range(0..SYLLABLES.len())]).collect::<String>();
    let (who, with, venue) = (name(), name(), name());
    let (city, latitude, longitude) = CITIES[rng.random_range(0..CITIES.len())];
    let now = Timestamp::now().as_second();
    let starts =
        (now + 86_400 * rng.random_range(-30..730)).div_euclid(86_400) * 86_400 + 3_600 * rng.random_range(17..22);
    let local = Timestamp::from_second(starts)?.to_zoned_datetime(TimeZone::UTC).strftime("%Y-%m-%dT%H:%M").to_string();
    let left = ["plenty", "few", "none"][rng.random_range(0..3)];
    let from: i64 = rng.random_range(1_000..20_000);
    Ok(serde_json::from_value(json!({
        "id": format!("e{n}"), "version": 1, "listed": true, "name": format!("{} {who} {with}", KINDS[n % 12]),
        "venue": format!("{venue} Hall"), "address": city, "zone": "UTC", "description": "Doors open an hour before the show.",
        "point": { "latitude": latitude + rng.random_range(-0.2..0.2), "longitude": longitude + rng.random_range(-0.2..0.2) },
        "starts_local": local, "starts_at_ms": starts * 1_000, "ends_at_ms": starts * 1_000 + 7_200_000,
        "opens_at_ms": now * 1_000, "currency": "EUR", "from_minor": from, "to_minor": from * 2,
        "left": left,
    }))?)
}

fn config(state: &std::path::Path) -> EdgeConfig {
    EdgeConfig {
        listen: ([127, 0, 0, 1], 0).into(),
        state: state.to_path_buf(),
        origin_url: "http://127.0.0.1:9".into(),
        master_keys: KEYS.into(),
        operator_key: "operator".into(),
        access_key_id: "none".into(),
        secret_access_key: "none".into(),
        region: "eu-central-1".into(),
        beacon_urls: String::new(),
        webhook_secrets: String::new(),
        faults: true, // the header
        outside: Outside::default(),
        oidc: None,
    }
}
