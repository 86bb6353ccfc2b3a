//! What makes lanes and a registration nonsensical, and what of them stays once people have joined.

use super::check::{between, text_of, unique};
use super::{EdgeEvent, Finding};
use crate::lane::{Access, Lane, MAX_LANES};
use crate::registration::Registration;

/// Longest id of a lane: fans see its name, operators type the id.
const ID_MAX: usize = 20;
/// More people than any registration invites.
const INVITED_MAX: u64 = 10_000_000;

/// All that is wrong with them.
pub(super) fn check(event: &EdgeEvent, found: &mut Vec<Finding>) {
    between("lanes", event.lanes.len(), 0, MAX_LANES, found);
    unique("lanes", event.lanes.iter().map(|lane| &lane.id), found);
    for (at, lane) in event.lanes.iter().enumerate() {
        check_lane(&format!("lanes[{at}]"), lane, event, found);
    }
    let shares: u32 = event.lanes.iter().map(|lane| u32::from(lane.share_percent)).sum();
    if shares > 99 {
        found.push(Finding::new(
            "lanes",
            format!("take {shares} percent of the rate; the main line keeps one at least"),
        ));
    }
    if let Some(registration) = &event.registration {
        check_registration(registration, event, found);
    }
}

fn check_lane(at: &str, lane: &Lane, event: &EdgeEvent, found: &mut Vec<Finding>) {
    let Lane { id, name, share_percent, access, claims } = lane;
    let good = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if id.is_empty() || id.len() > ID_MAX || !id.bytes().all(good) || id == "main" {
        found.push(Finding::new(format!("{at}.id"), format!("must be a-z, 0-9 and -, at most {ID_MAX}, and not main")));
    }
    text_of(format!("{at}.name"), name, 60, found);
    between(&format!("{at}.share_percent"), *share_percent, 1, 99, found);
    if (*access == Access::Claims) == claims.is_empty() {
        found.push(Finding::new(format!("{at}.claims"), "name what is vouched for, exactly where access is claims"));
    }
    if *access == Access::Invitation && event.registration.is_none() {
        found.push(Finding::new(format!("{at}.access"), "is invitation, but the event has no registration"));
    }
}

fn check_registration(registration: &Registration, event: &EdgeEvent, found: &mut Vec<Finding>) {
    let Registration { opens_at_ms, draws_at_ms, invited } = *registration;
    if opens_at_ms >= draws_at_ms {
        found.push(Finding::new("registration.draws_at_ms", "must be after registration opens"));
    }
    if draws_at_ms >= event.opens_at_ms {
        found.push(Finding::new("registration.draws_at_ms", "must be before the opening"));
    }
    between("registration.invited", invited, 1, INVITED_MAX, found);
    if event.lanes.iter().all(|lane| lane.access != Access::Invitation) {
        found.push(Finding::new("registration", "needs a lane whose access is invitation"));
    }
}

/// What of them stays: a lane's number and way in are in people's tokens, a registration's times were announced.
pub(super) fn check_change(old: &EdgeEvent, new: &EdgeEvent, joined: u64, found: &mut Vec<Finding>) {
    let way = |lane: &Lane| (lane.id.clone(), lane.access, lane.claims.clone());
    let kept = old.lanes.iter().zip(&new.lanes).filter(|(a, b)| way(a) == way(b)).count();
    if joined > 0 && kept < old.lanes.len() {
        found.push(Finding::new("lanes", "keep order, id and access after the first join; new ones come last"));
    }
    if joined > 0 && old.registration.is_some() && new.registration != old.registration {
        found.push(Finding::new("registration", "cannot change after the first join or registration"));
    }
}
