//! The single-seat rule for seats that a fan picked, see [`domain::choose`].
//!
//! It is judged by the map; before anybody is refused, the seats themselves are looked at, for the map may be a moment old.
//! Seats that others have are the hold's matter: they are told as taken, not as leaving others single.

use std::collections::{BTreeMap, BTreeSet};

use domain::channel::BOX_OFFICE;
use domain::choose::stranded;
use domain::ids::{BlockId, SeatId};
use domain::items::{Hold, MapSection, key};
use domain::layout::SeatPlace;
use domain::map::{self, Packed};
use domain::seat::{open_to, takeable};

use super::Asked;
use crate::app::App;
use crate::problem::Problem;

/// Seats of one section that are picked, and those that the fan has there now.
#[derive(Default)]
struct Picked<'a> {
    chosen: Vec<&'a SeatPlace>,
    own: Vec<&'a SeatPlace>,
}

impl Asked<'_> {
    /// Refuses a pick that leaves seats single although it need not. Who sells at the box office is not bound by it.
    pub(super) async fn leaves_no_singles(
        &self,
        app: &App,
        seats: &[SeatId],
        own: Option<&Hold>,
    ) -> Result<(), Problem> {
        if self.visitor.lane == BOX_OFFICE {
            return Ok(());
        }
        let mut singles = Vec::new();
        for (section, picked) in self.by_section(seats, own) {
            singles.extend(self.singles(app, section, &picked).await?);
        }
        if singles.is_empty() { Ok(()) } else { Err(Problem::OrphanSeats(singles)) }
    }

    fn by_section<'a>(&'a self, seats: &'a [SeatId], own: Option<&'a Hold>) -> BTreeMap<usize, Picked<'a>> {
        let mut sections: BTreeMap<usize, Picked<'a>> = BTreeMap::new();
        let index = &self.terms.venue.index;
        for place in seats.iter().filter_map(|seat| index.get(seat)) {
            sections.entry(place.section).or_default().chosen.push(place);
        }
        for place in own.iter().flat_map(|hold| &hold.places.seats).filter_map(|line| index.get(&line.seat)) {
            sections.entry(place.section).or_default().own.push(place);
        }
        sections
    }

    async fn singles(&self, app: &App, section: usize, picked: &Picked<'_>) -> Result<Vec<SeatId>, Problem> {
        let layout = &self.terms.venue.layout.sections[section];
        let item = app.table.get(&key::map_section(self.event, &layout.id)).await?;
        let seen = item.as_ref().and_then(|item| MapSection::from_item(item).ok());
        let Some(seen) = seen else { return Ok(Vec::new()) };
        let mut states = seen.states_for(&self.channels);
        for place in picked.chosen.iter().chain(&picked.own) {
            map::set(&mut states, place.index as usize, Packed::Free);
        }
        if stranded(layout, &states, &picked.chosen).is_empty() || !self.look(app, &mut states, picked).await? {
            return Ok(Vec::new());
        }
        let singles = stranded(layout, &states, &picked.chosen);
        let id = |(row, at): (usize, usize)| layout.rows[row].seats[at].id_in(&layout.id, &layout.rows[row].label);
        Ok(singles.into_iter().filter_map(id).collect())
    }

    /// Looks at the seats of the blocks that are picked from; whether the fan may have all that is chosen.
    async fn look(&self, app: &App, states: &mut [u8], picked: &Picked<'_>) -> Result<bool, Problem> {
        let at = |places: &[&SeatPlace]| places.iter().map(|place| place.index).collect::<BTreeSet<u32>>();
        let (chosen, own) = (at(&picked.chosen), at(&picked.own));
        let open = takeable(self.visitor.now()).and(open_to(&self.channels));
        let mut all = true;
        for block in picked.chosen.iter().map(|place| &place.block).collect::<BTreeSet<&BlockId>>() {
            for seat in app.table.seats(self.event, block).await? {
                let free = own.contains(&seat.index) || open.holds(Some(&seat.to_item()));
                all &= free || !chosen.contains(&seat.index);
                map::set(states, seat.index as usize, if free { Packed::Free } else { Packed::Held });
            }
        }
        Ok(all)
    }
}
