//! A finished on-sale, recomputed from what was published: the event, all draw files, the last status, and the secret.
//!
//! One ladder per draw file, in this order; the first thing that is wrong refuses the whole. After it nothing is left that the
//! organiser could have chosen, but for what `docs/formats.md` says about later cohorts.

use super::{DrawFault, DrawFile, DrawnBy, Fault, Refused, commitment, file_hash};
use crate::beacon::Chain;
use crate::bytes32;
use crate::cohort::{BeaconDraw, LogCut, is_early};
use crate::ids::EventId;
use crate::lane::{Lane, MAIN, REGISTRATION};
use crate::status::Status;
use crate::time::WallMs;
use serde::{Deserialize, Serialize};

/// What the event's detail (`GET /v1/events/{id}`) says about its draws.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct EventFacts {
    /// The event.
    pub id: EventId,
    /// SHA-256 of the draw secret, published before the first join.
    #[serde(with = "bytes32")]
    pub commitment: [u8; 32],
    /// The beacon that the event named, if any.
    #[serde(default)]
    pub beacon: Option<Chain>,
    /// The secret in hex, once the on-sale is closed.
    #[serde(default)]
    pub draw_secret: Option<String>,
    /// Public keys of the status file, one of every live master key.
    pub status_keys: Vec<StatusKey>,
    /// The lanes beside the main line.
    #[serde(default)]
    pub lanes: Vec<Lane>,
}

/// A public key as the event's detail names it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct StatusKey {
    /// Base64url of 32 bytes, see [`crate::status::public_key`].
    pub key: String,
}

/// What a check that found nothing wrong has shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Cohort 0 was drawn with public randomness that nobody could know when its people were fixed.
    Verified,
    /// The secret was fixed beforehand, but the organiser alone drew.
    DrawnByOrganiser,
    /// The secret is not published yet: seeds cannot be checked.
    SecretNotPublished,
}

/// What was recomputed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// What it shows.
    pub verdict: Verdict,
    /// Cohorts drawn.
    pub cohorts: usize,
    /// Places given.
    pub places: u64,
    /// Places that had their turn.
    pub admitted: u64,
    /// When cohort 0 was fixed, and when the round that drew it was due.
    pub sealed_and_due_ms: Option<(WallMs, WallMs)>,
    /// The round.
    pub round: Option<u64>,
}

fn signed_by_any(keys: &[StatusKey], status: &[u8]) -> Option<Status> {
    keys.iter().find_map(|StatusKey { key }| Status::verify(status, key).ok())
}

/// Recomputes an on-sale's main line. `files` are the draw files from cohort 0 on, `status` the last status file's bytes.
pub fn check(event: &EventFacts, files: &[DrawFile], status: &[u8]) -> Result<Checked, Refused> {
    check_line(event, MAIN, files, status)
}

/// Recomputes any line of an on-sale. Lanes and registrations are drawn by the organiser; the status names no file of theirs, and
/// counts the places of lanes.
pub fn check_line(event: &EventFacts, line: u8, files: &[DrawFile], status: &[u8]) -> Result<Checked, Refused> {
    let whole = |fault| Refused { k: None, fault };
    let own = EventFacts { beacon: event.beacon.clone().filter(|_| line == MAIN), ..event.clone() };
    let event = &own;
    let secret = published_secret(event).map_err(whole)?;
    let mut before: Option<&DrawFile> = None;
    for (k, file) in (0..).zip(files) {
        let refused = |fault| Refused { k: Some(k), fault };
        check_file(event, k, file, before, secret.as_ref()).map_err(refused)?;
        before = Some(file);
    }
    let status = signed_by_any(&event.status_keys, status).ok_or(whole(Fault::Status))?;
    let places = before.map_or(0, |file| file.row().given());
    let admitted = check_status(event, line, &status, (files.first(), places)).map_err(whole)?;
    let beacon = files.first().and_then(|file| file.beacon);
    let times = event.beacon.as_ref().zip(beacon).map(|(chain, part)| (part.sealed_ms, chain.time_of(part.round)));
    Ok(Checked {
        verdict: verdict(secret.is_some(), beacon.is_some()),
        cohorts: files.len(),
        places,
        admitted,
        sealed_and_due_ms: times,
        round: beacon.map(|part| part.round),
    })
}

fn verdict(secret: bool, beacon: bool) -> Verdict {
    match (secret, beacon) {
        (false, _) => Verdict::SecretNotPublished,
        (true, true) => Verdict::Verified,
        (true, false) => Verdict::DrawnByOrganiser,
    }
}

fn published_secret(event: &EventFacts) -> Result<Option<[u8; 32]>, Fault> {
    let Some(text) = &event.draw_secret else { return Ok(None) };
    let secret = bytes32::from_hex(text).ok_or(Fault::Secret)?;
    if commitment(&secret) == event.commitment { Ok(Some(secret)) } else { Err(Fault::Secret) }
}

fn check_file(
    event: &EventFacts,
    k: u32,
    file: &DrawFile,
    before: Option<&DrawFile>,
    secret: Option<&[u8; 32]>,
) -> Result<(), Fault> {
    if (&file.event, file.k, file.commitment) != (&event.id, k, event.commitment) {
        return Err(Fault::Foreign);
    }
    file.check_cuts().map_err(|_| Fault::Cuts)?;
    if !continues(file, before) {
        return Err(Fault::Chain);
    }
    if file.base != before.map_or(0, |before| before.row().given()) {
        return Err(Fault::Base);
    }
    check_beacon(event.beacon.as_ref(), file, before)?;
    let Some(secret) = secret else { return Ok(()) };
    file.verify(secret).map_err(|fault| match fault {
        DrawFault::Commitment => Fault::Secret,
        DrawFault::Beacon => Fault::Beacon,
        DrawFault::Form(_) | DrawFault::Cuts(_) | DrawFault::Seed => Fault::Seed,
    })
}

/// Later in time; every log goes on where the file before left it, and none is missing; cohort 0 takes early logs only, later
/// ones later logs only; a log that does not move keeps its root.
fn continues(file: &DrawFile, before: Option<&DrawFile>) -> bool {
    let old = before.map_or(&[][..], |before| &before.cuts);
    let found = |cut: &LogCut| old.iter().find(|o| (o.shard, o.epoch) == (cut.shard, cut.epoch));
    let goes_on = |cut: &LogCut| {
        let moved = cut.to > cut.from;
        let from = found(cut).map_or(0, |old| old.to);
        let same_root = found(cut).is_none_or(|old| moved || old.root == cut.root);
        cut.from == from && same_root && (!moved || is_early(cut.epoch) == (file.k == 0))
    };
    let kept = |old: &LogCut| file.cuts.iter().any(|cut| (old.shard, old.epoch) == (cut.shard, cut.epoch));
    before.is_none_or(|before| before.t_ms < file.t_ms) && file.cuts.iter().all(goes_on) && old.iter().all(kept)
}

fn check_beacon(chain: Option<&Chain>, file: &DrawFile, before: Option<&DrawFile>) -> Result<(), Fault> {
    file.randomness().map_err(|_| Fault::Beacon)?;
    match (before, chain, file.beacon) {
        (Some(before), ..) if before.beacon == file.beacon => Ok(()),
        // The operator may have drawn without the beacon that the event names: then nothing calls it verifiable.
        (None, _, None) => Ok(()),
        (None, Some(chain), Some(part)) if file.drawn_by == DrawnBy::Beacon => {
            let BeaconDraw { sealed, round } = part.into();
            match () {
                () if sealed < file.t_ms || round.round != chain.round_for(sealed) => Err(Fault::Round),
                () if !chain.is_signed(&round) => Err(Fault::Signature),
                () => Ok(()),
            }
        }
        _ => Err(Fault::Beacon),
    }
}

/// Places admitted, as the status says of this line.
fn check_status(
    event: &EventFacts,
    line: u8,
    status: &Status,
    (first, places): (Option<&DrawFile>, u64),
) -> Result<u64, Fault> {
    let named = first.map(|file| file_hash(&file.to_bytes()));
    let (admitted, given) = match line {
        MAIN => (status.admitted, status.given),
        // Nobody is admitted by a registration, and the status does not count it.
        REGISTRATION => (0, places),
        lane => status.lanes.get(usize::from(lane) - 1).copied().ok_or(Fault::Given)?,
    };
    match () {
        () if status.event != event.id => Err(Fault::Status),
        () if line == MAIN && status.draw != named => Err(Fault::Named),
        () if given != places || admitted > places => Err(Fault::Given),
        () => Ok(admitted),
    }
}
