//! What is kept from general sale, for operators.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::ids::{ChannelId, SeatId};
use crate::items::{Kept, Seat, SeatState};

/// Seats by state, as the table has them: free seats of channels are free here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Nobody's.
    pub free: u32,
    /// In holds.
    pub held: u32,
    /// Being paid.
    pub claimed: u32,
    /// Sold.
    pub sold: u32,
    /// Blocked, or kept for the house.
    pub blocked: u32,
}

/// Seats that are blocked for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Blocked {
    /// Why; none for blocks that say nothing.
    pub reason: Option<String>,
    /// Which.
    pub seats: Vec<SeatId>,
}

/// Seats that the house keeps for one name until one time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct House {
    /// For whom.
    pub name: String,
    /// Until when, wall time in ms.
    pub until_ms: Option<i64>,
    /// Which.
    pub seats: Vec<SeatId>,
}

/// Seats of one channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Channel {
    /// Which channel.
    pub channel: ChannelId,
    /// What they are.
    #[serde(flatten)]
    pub counts: Counts,
    /// Which.
    pub seats: Vec<SeatId>,
}

/// All seats, counted, and those that not everybody may take.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Listing {
    /// All seats.
    pub counts: Counts,
    /// Blocked seats by reason.
    pub blocked: Vec<Blocked>,
    /// House holds by name and time.
    pub house: Vec<House>,
    /// Channels by id.
    pub channels: Vec<Channel>,
}

impl Listing {
    /// Sorts seats, in any order.
    #[must_use]
    pub fn of(seats: &[Seat]) -> Self {
        let mut listing = Self::default();
        let (mut blocked, mut house) = (BTreeMap::new(), BTreeMap::new());
        let mut channels: BTreeMap<&ChannelId, Vec<&Seat>> = BTreeMap::new();
        for seat in seats {
            listing.counts.add(seat.state);
            seat.channel.iter().for_each(|channel| channels.entry(channel).or_default().push(seat));
            match &seat.kept {
                Some(Kept::House { name, until }) => push(&mut house, (name.clone(), until.map(|u| u.0)), seat),
                Some(Kept::Blocked { reason }) => push(&mut blocked, Some(reason.clone()), seat),
                None if seat.state == SeatState::Blocked => push(&mut blocked, None, seat),
                None => {}
            }
        }
        listing.blocked = blocked.into_iter().map(|(reason, seats)| Blocked { reason, seats }).collect();
        let kept = |((name, until_ms), seats)| House { name, until_ms, seats };
        listing.house = house.into_iter().map(kept).collect();
        listing.channels = channels.into_iter().map(|(id, seats)| channel(id, &seats)).collect();
        listing
    }
}

fn push<K: Ord>(groups: &mut BTreeMap<K, Vec<SeatId>>, key: K, seat: &Seat) {
    groups.entry(key).or_default().push(seat.seat.clone());
}

fn channel(id: &ChannelId, seats: &[&Seat]) -> Channel {
    let mut counts = Counts::default();
    seats.iter().for_each(|seat| counts.add(seat.state));
    Channel { channel: id.clone(), counts, seats: seats.iter().map(|seat| seat.seat.clone()).collect() }
}

impl Counts {
    fn add(&mut self, state: SeatState) {
        *match state {
            SeatState::Free => &mut self.free,
            SeatState::Held => &mut self.held,
            SeatState::Claimed => &mut self.claimed,
            SeatState::Sold => &mut self.sold,
            SeatState::Blocked => &mut self.blocked,
        } += 1;
    }
}
