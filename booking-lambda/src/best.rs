//! Best available: what a buyer wishes for, chosen from the map by [`domain::choose`].
//!
//! The map may be a moment old; the hold's own conditions decide. After a lost race the seats that others had are known, and
//! the next choice is made among more.

use std::collections::BTreeMap;

use domain::choose::{self, Party};
use domain::ids::{ChannelId, EventId, SeatId, SectionId};
use domain::layout::{Level, Section};
use domain::map::{self, Map, Packed};
use domain::price::SeatWish;
use rand::seq::IndexedRandom as _;
use serde::Deserialize;

use crate::app::App;
use crate::events::{Event, Venue};
use crate::problem::Problem;

/// What is wished for.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wish {
    quantity: usize,
    /// Sections that will do; empty: any.
    #[serde(default)]
    sections: Vec<SectionId>,
    level: Option<String>,
    /// Price levels that will do, beside `level`; without either: any.
    #[serde(default)]
    levels: Vec<String>,
    /// The least and the most that a place may cost all-in, at its level's usual price.
    min_total_minor: Option<i64>,
    max_total_minor: Option<i64>,
    #[serde(default)]
    accessible: Accessible,
    /// Places beside those for wheelchairs, where `accessible` is a number.
    #[serde(default)]
    companion: usize,
    /// Whether the party may be split over neighbouring rows if it fits nowhere together.
    #[serde(default = "yes")]
    split: bool,
    /// How many of the places are of which price type; the others are of the usual one.
    #[serde(default)]
    types: BTreeMap<String, usize>,
}

/// Wheelchair places: all of the places or none, or so many of them.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
enum Accessible {
    All(bool),
    Some(usize),
}

impl Default for Accessible {
    fn default() -> Self {
        Self::All(false)
    }
}

fn yes() -> bool {
    true
}

/// Attempts that met somebody faster.
#[derive(Debug, Default)]
pub struct Lost {
    /// How many.
    pub races: u32,
    /// Seats that others had.
    pub seats: Vec<SeatId>,
}

impl Wish {
    /// Ordinary seats together, anywhere, at any price.
    #[must_use]
    pub fn ordinary(quantity: usize) -> Self {
        Self {
            quantity,
            sections: Vec::new(),
            level: None,
            levels: Vec::new(),
            min_total_minor: None,
            max_total_minor: None,
            accessible: Accessible::default(),
            companion: 0,
            split: true,
            types: BTreeMap::new(),
        }
    }

    /// Whether no wheelchair place is wished for.
    #[must_use]
    pub const fn is_ordinary(&self) -> bool {
        matches!(self.accessible, Accessible::All(false) | Accessible::Some(0))
    }

    /// Picks seats.
    ///
    /// # Errors
    /// There is no such level or section, or nothing is left for this wish; or the table failed.
    pub async fn pick(
        &self,
        app: &App,
        event: &EventId,
        terms: &Event,
        shown: &[ChannelId],
        lost: &Lost,
    ) -> Result<Vec<SeatWish>, Problem> {
        let wish = self.checked(terms)?;
        let (venue, map) = (&terms.venue, app.table.map(event).await?);
        let states = states(venue, &map, shown, &lost.seats);
        let few = choose::few(choose::suitable(&venue.layout, &states, &wish), wish.quantity, lost.races);
        let best = choose::best(&venue.layout, &states, &wish, few);
        let choice = best.choose(&mut rand::rng()).ok_or(Problem::NoneTogether)?;
        self.typed(choice.seats(&venue.layout))
    }

    fn checked(&self, terms: &Event) -> Result<choose::Wish, Problem> {
        let limit = terms.definition.limits.per_account;
        if self.quantity == 0 || self.quantity > limit as usize {
            return Err(Problem::LimitExceeded { limit, committed: 0 });
        }
        let layout = &terms.venue.layout;
        if self.sections.iter().any(|id| layout.section(id).is_none()) {
            return Err(Problem::PlaceUnknown);
        }
        let (quantity, sections) = (self.quantity, self.sections.clone());
        let (levels, party) = (self.levels(&layout.levels)?, self.party()?);
        Ok(choose::Wish { quantity, sections, levels, party, split: self.split })
    }

    /// Positions of the levels that will do.
    fn levels(&self, levels: &[Level]) -> Result<Option<Vec<usize>>, Problem> {
        let named = || self.level.iter().chain(&self.levels);
        if named().any(|id| levels.iter().all(|level| level.id != *id)) {
            return Err(Problem::PlaceUnknown);
        }
        let (least, most) = (self.min_total_minor.unwrap_or(0), self.max_total_minor.unwrap_or(i64::MAX));
        if least > most {
            return Err(Problem::BadRequest("no price is in this range"));
        }
        let will_do = |level: &Level| {
            (named().count() == 0 || named().any(|id| level.id == *id)) && (least..=most).contains(&level.total_minor)
        };
        Ok(Some(levels.iter().enumerate().filter(|(_, level)| will_do(level)).map(|(at, _)| at).collect()))
    }

    fn party(&self) -> Result<Party, Problem> {
        match self.accessible {
            Accessible::All(false) | Accessible::Some(0) if self.companion == 0 => Ok(Party::Ordinary),
            Accessible::All(true) if self.companion == 0 => Ok(Party::Accessible),
            Accessible::Some(accessible)
                if accessible > 0 && accessible.saturating_add(self.companion) <= self.quantity =>
            {
                Ok(Party::Mixed { accessible, companion: self.companion })
            }
            _ => {
                Err(Problem::BadRequest("companions come with wheelchair places, as many in all as places are wanted"))
            }
        }
    }

    fn typed(&self, seats: Vec<SeatId>) -> Result<Vec<SeatWish>, Problem> {
        let named = self.types.values().fold(0_usize, |sum, n| sum.saturating_add(*n));
        let usual = seats.len().checked_sub(named).ok_or(Problem::BadRequest("more types than places"))?;
        let types = self.types.iter().flat_map(|(name, n)| std::iter::repeat_n(Some(name.clone()), *n));
        let types = std::iter::repeat_n(None, usual).chain(types);
        Ok(seats.into_iter().zip(types).map(|(seat, price_type)| SeatWish { seat, price_type }).collect())
    }
}

/// Whether an ordinary seat is free that anybody may have.
pub fn ordinary_left(venue: &Venue, map: &Map) -> bool {
    let states = states(venue, map, &[], &[]);
    let free = |(at, section): (usize, &Section)| {
        let seats = section.rows.iter().flat_map(|row| &row.seats).enumerate();
        seats.filter(|(_, seat)| seat.kind == 0).any(|(n, _)| map::get(&states[at], n) == Packed::Free)
    };
    venue.layout.sections.iter().enumerate().any(free)
}

/// How the seats of each section are for a buyer who has shown these channels; `taken` are known to be others'.
fn states(venue: &Venue, map: &Map, shown: &[ChannelId], taken: &[SeatId]) -> Vec<Vec<u8>> {
    let seen: BTreeMap<&SectionId, _> = map.sections.iter().map(|item| (&item.section, item)).collect();
    let of = |id| seen.get(id).map(|item| item.states_for(shown)).unwrap_or_default();
    let mut states: Vec<Vec<u8>> = venue.layout.sections.iter().map(|section| of(&section.id)).collect();
    for place in taken.iter().filter_map(|seat| venue.index.get(seat)) {
        map::set(&mut states[place.section], place.index as usize, Packed::Held);
    }
    states
}
