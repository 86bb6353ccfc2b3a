//! `event.toml`, read and checked by itself.

use super::definition::{Door, Limits};
use super::finding::{Code, Finding};
use super::lanes;
use super::levels::{self, Level};
use super::reader::Reader;
use super::show::{self, Show};
use super::times;
use super::webhook::{self, Webhook};
use crate::beacon::{Chain, SCHEME};
use crate::bytes32;
use crate::ids::{EventId, PoolId, SeatId};
use crate::lane::Lane;
use crate::money::Currency;
use crate::registration::Registration;
use crate::time::WallMs;

/// The event as it was written.
pub(super) struct Event {
    pub(super) id: EventId,
    pub(super) name: String,
    pub(super) venue: String,
    pub(super) zone: String,
    pub(super) opens_at: WallMs,
    pub(super) ends_at: WallMs,
    pub(super) currency: Currency,
    pub(super) home_region: Option<String>,
    pub(super) rehearsal: bool,
    pub(super) accessible: Vec<SeatId>,
    pub(super) companion: Vec<SeatId>,
    pub(super) limits: Limits,
    pub(super) door: Door,
    pub(super) show: Option<Show>,
    pub(super) beacon: Option<Chain>,
    pub(super) lanes: Vec<Lane>,
    pub(super) registration: Option<Registration>,
    pub(super) webhook: Option<Webhook>,
    pub(super) levels: Vec<Level>,
    pub(super) pools: Vec<Pool>,
}

/// A pool as it was written.
pub(super) struct Pool {
    pub(super) id: PoolId,
    pub(super) name: String,
    pub(super) level: String,
    pub(super) capacity: u32,
    pub(super) shares: u32,
    pub(super) rect: [f64; 4],
}

const KEYS: &[&str] = &[
    "id",
    "name",
    "venue",
    "zone",
    "opens_at",
    "ends_at",
    "currency",
    "plan",
    "rehearsal",
    "home_region",
    "accessible",
    "companion",
    "limits",
    "door",
    "show",
    "beacon",
    "lanes",
    "registration",
    "webhook",
    "levels",
    "pools",
];
const LIMIT_KEYS: &[&str] = &["per_account", "per_card", "final_sale", "waiting_list"];
const DOOR_KEYS: &[&str] = &[
    "shards",
    "rate_per_minute",
    "tickets_per_order",
    "claim_window_s",
    "session_s",
    "grace_ms",
    "beat_ms",
    "idle_beat_ms",
    "forget_after_days",
    "checks",
];
const BEACON_KEYS: &[&str] = &["chain", "public_key", "genesis", "period_s"];
const POOL_KEYS: &[&str] = &["id", "name", "level", "capacity", "shares", "x", "y", "w", "h"];

/// Reads the event; `None` when anything of it is wrong.
pub(super) fn read(text: &str, findings: &mut Vec<Finding>) -> Option<Event> {
    let table: toml::Table = match text.parse() {
        Ok(table) => table,
        Err(error) => {
            findings.push(Finding::new(Code::EventUnreadable, "event.toml", error.to_string()));
            return None;
        }
    };
    let before = findings.len();
    let event = read_table(&table, findings);
    event.filter(|_| findings.len() == before)
}

fn read_table(table: &toml::Table, findings: &mut Vec<Finding>) -> Option<Event> {
    let mut r = Reader::new(table, "", KEYS, findings);
    let id = r.parse("id", Code::EventId);
    let (name, venue) = (r.text("name"), r.text("venue"));
    let times = read_times(&mut r);
    let currency = r.parse::<Currency>("currency", Code::Currency);
    let (home_region, rehearsal) = (r.opt_text("home_region"), r.flag("rehearsal"));
    let (accessible, companion) = (r.list("accessible"), r.list("companion"));
    let (limits, door) = (r.table("limits"), r.table("door"));
    let (beacon, show) = (r.table("beacon"), r.table("show"));
    let (lanes, registration) = (r.tables("lanes"), r.table("registration"));
    let webhook = r.table("webhook");
    let (levels, pools) = (r.tables("levels"), r.tables("pools"));
    let limits = read_limits(&limits, findings);
    let door = read_door(&door, findings);
    let named = !beacon.is_empty();
    let beacon = named.then(|| read_beacon(&mut Reader::new(&beacon, "beacon", BEACON_KEYS, findings))).flatten();
    let lanes = lanes::read(&lanes, findings);
    let registration = lanes::registration(&registration, times.as_ref(), &lanes, findings);
    let show = show::read(&show, times.as_ref(), findings);
    let webhook = webhook::read(&webhook, findings);
    let levels = levels::read(&levels, currency, findings);
    let pools = read_pools(&pools, &levels, findings);
    let (zone, opens_at, ends_at) = times?;
    Some(Event {
        id: id?,
        name: name?,
        venue: venue?,
        zone,
        opens_at,
        ends_at,
        currency: currency?,
        home_region,
        rehearsal,
        accessible,
        companion,
        limits: limits?,
        door: door?,
        show,
        beacon,
        lanes,
        registration,
        webhook,
        levels,
        pools,
    })
}

fn read_beacon(r: &mut Reader<'_>) -> Option<Chain> {
    let (chain, key) = (r.text("chain"), r.text("public_key"));
    let genesis_s = r.whole("genesis", 0..=i64::from(u32::MAX), None);
    let period = r.whole("period_s", 1..=60, None);
    let read = Chain {
        chain: bytes32::from_hex(&chain?).unwrap_or_default(),
        public_key: bytes32::from_hex(&key?).unwrap_or([0; 96]),
        genesis_s: genesis_s?,
        period_s: small(period?),
        scheme: SCHEME.to_owned(),
    };
    if !read.is_sound() || read.chain == [0; 32] {
        r.finds(Code::Beacon, "public_key", "chain (64 hex digits) and public key (192) are not those of a beacon");
    }
    Some(read)
}

fn read_times(r: &mut Reader<'_>) -> Option<(String, WallMs, WallMs)> {
    let (name, opens, ends) = (r.text("zone"), r.text("opens_at"), r.text("ends_at"));
    let name = name?;
    let Some(zone) = times::zone(&name) else {
        r.finds(Code::Zone, "zone", format!("{name:?}"));
        return None;
    };
    let mut at = |field: &str, text: Option<String>| {
        let text = text?;
        times::instant(&text, &zone).map_err(|code| r.finds(code, field, format!("{text:?} in {name}"))).ok()
    };
    let (opens, ends) = (at("opens_at", opens), at("ends_at", ends));
    let (opens, ends) = (opens?, ends?);
    if ends <= opens {
        r.finds(Code::EndsBeforeOpens, "ends_at", "the event ends before its on-sale opens");
        return None;
    }
    Some((name, opens, ends))
}

pub(super) fn small(number: i64) -> u32 {
    // Ranges are checked where numbers are read and lie within u32.
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn read_limits(table: &toml::Table, findings: &mut Vec<Finding>) -> Option<Limits> {
    let most = i64::from(crate::hold::MAX_PLACES);
    let mut r = Reader::new(table, "limits", LIMIT_KEYS, findings);
    let per_account = r.whole("per_account", 1..=most, None)?;
    let per_card = r.whole("per_card", per_account..=1000, Some(per_account * 2))?;
    let (final_sale, waiting_list) = (r.flag("final_sale"), r.flag("waiting_list"));
    Some(Limits { per_account: small(per_account), per_card: small(per_card), final_sale, waiting_list })
}

fn read_door(table: &toml::Table, findings: &mut Vec<Finding>) -> Option<Door> {
    let mut r = Reader::new(table, "door", DOOR_KEYS, findings);
    let shards = r.whole("shards", 1..=256, Some(4));
    let rate = table.contains_key("rate_per_minute").then(|| r.whole("rate_per_minute", 1..=1_000_000, None));
    let tickets = r.number("tickets_per_order", 1.0..=40.0, 2.5);
    let claim = r.whole("claim_window_s", 10..=3600, Some(300));
    let session = r.whole("session_s", 60..=86_400, Some(900));
    let grace = r.whole("grace_ms", 0..=60_000, Some(3000));
    let beat = r.whole("beat_ms", 500..=10_000, Some(1000));
    let idle = r.whole("idle_beat_ms", 1000..=600_000, Some(30_000));
    let forget = r.whole("forget_after_days", 1..=400, Some(30));
    let checks = r.table("checks");
    let checks = super::checks::read(&checks, findings);
    Some(Door {
        shards: small(shards?),
        rate_per_minute: match rate {
            Some(rate) => Some(small(rate?)),
            None => None,
        },
        tickets_per_order: tickets?,
        claim_window_ms: claim? * 1000,
        session_ms: session? * 1000,
        grace_ms: grace?,
        beat_ms: beat?,
        idle_beat_ms: idle?,
        forget_after_days: forget?,
        checks: checks?,
    })
}

fn read_pools(tables: &[toml::Table], levels: &[Level], findings: &mut Vec<Finding>) -> Vec<Pool> {
    let mut pools: Vec<Pool> = Vec::new();
    for (n, table) in tables.iter().enumerate() {
        let at = format!("pools[{n}]");
        let Some(pool) = read_pool(&mut Reader::new(table, &at, POOL_KEYS, findings)) else { continue };
        if pools.iter().any(|p| p.id == pool.id) {
            findings.push(Finding::new(Code::DuplicatePool, at.clone(), pool.id.to_string()));
        }
        if levels.iter().all(|l| l.id != pool.level) {
            findings.push(Finding::new(Code::UnknownLevel, format!("{at}.level"), pool.level.clone()));
        }
        pools.push(pool);
    }
    pools
}

fn read_pool(r: &mut Reader<'_>) -> Option<Pool> {
    let id = r.parse("id", Code::Id);
    let (name, level) = (r.text("name"), r.text("level"));
    let capacity = r.whole("capacity", 1..=1_000_000, None);
    let shares = r.whole("shares", 1..=i64::from(crate::pool::MAX_SHARES).min(capacity.unwrap_or(1)), Some(1));
    let rect = ["x", "y", "w", "h"].map(|field| r.number(field, -1e6..=1e6, 0.0));
    let [x, y, w, h] = rect;
    Some(Pool {
        id: id?,
        name: name?,
        level: level?,
        capacity: small(capacity?),
        shares: small(shares?),
        rect: [x?, y?, w?, h?],
    })
}
