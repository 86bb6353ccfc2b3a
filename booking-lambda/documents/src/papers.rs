//! What the documents of an order say.

use domain::ids::{EventId, OrderId, PoolId, SeatId};
use domain::items::{Order, Ticket};
use domain::layout::{Layout, SeatIndex};
use domain::plan_import::{EventDefinition, Show};
use domain::ticket::TicketContent;
use domain::time::WallMs;

use crate::when;

/// The tickets of an order, with all that is told about their event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Papers {
    /// Event.
    pub event: EventId,
    /// Order.
    pub order: OrderId,
    /// The event's name.
    pub name: String,
    /// The venue's name.
    pub venue: String,
    /// Its address.
    pub address: Option<String>,
    /// When the show starts, if that was told.
    pub starts: Option<WallMs>,
    /// When the event ends.
    pub ends: WallMs,
    /// The start in words, local time.
    pub starts_text: Option<String>,
    /// When the doors open, in words, local time.
    pub doors_text: Option<String>,
    /// When the order was made: nothing of a document is newer.
    pub made: WallMs,
    /// One for each place.
    pub tickets: Vec<Paper>,
}

/// One ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paper {
    /// The seat's id, or `pool/n`.
    pub place: String,
    /// Where it is, as the plan calls it: pairs of what and which, for example section, row and seat.
    pub position: Vec<(&'static str, String)>,
    /// Where to go in.
    pub entrance: Option<String>,
    /// Price level and, where there are several prices, which.
    pub level: String,
    /// Rises when the place is sold again.
    pub revision: u32,
    /// What the gate reads.
    pub payload: String,
}

/// What signs tickets of an event.
pub struct Signer {
    /// Which of the event's ticket keys.
    pub key_id: u8,
    /// Its seed.
    pub seed: [u8; 32],
}

/// Where a place is.
struct Spot<'a> {
    position: Vec<(&'static str, String)>,
    /// Section or pool.
    area: &'a str,
}

impl Papers {
    /// The venue with its address, where that was told.
    #[must_use]
    pub fn whereabouts(&self) -> String {
        self.address.iter().fold(self.venue.clone(), |venue, address| format!("{venue}, {address}"))
    }

    /// Times in words under their names, those that were told.
    pub fn times(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let times = [("Starts", &self.starts_text), ("Doors", &self.doors_text)];
        times.into_iter().filter_map(|(what, text)| Some((what, text.as_deref()?)))
    }

    /// The papers of an order with these tickets.
    #[must_use]
    pub fn of(
        definition: &EventDefinition,
        (layout, index): (&Layout, &SeatIndex),
        order: &Order,
        tickets: &[Ticket],
        signer: &Signer,
    ) -> Self {
        let show = definition.show.as_ref();
        let told = |time: Option<WallMs>| time.map(|time| when::local(time, &definition.zone));
        let paper = |ticket: &Ticket| Paper {
            payload: sign(definition, ticket, signer),
            ..paper(definition, (layout, index), order, ticket)
        };
        Self {
            event: definition.id.clone(),
            order: order.id,
            name: definition.name.clone(),
            venue: definition.venue.clone(),
            address: show.and_then(|show| show.address.clone()),
            starts: show.map(|show| show.starts_at_ms),
            ends: definition.ends_at_ms,
            starts_text: told(show.map(|show| show.starts_at_ms)),
            doors_text: told(show.and_then(|show| show.doors_at_ms)),
            made: order.created,
            tickets: tickets.iter().map(paper).collect(),
        }
    }
}

fn sign(definition: &EventDefinition, ticket: &Ticket, signer: &Signer) -> String {
    let content = TicketContent {
        key_id: signer.key_id,
        event: definition.id.clone(),
        seat: ticket.seat.clone(),
        order: ticket.order,
        revision: ticket.revision,
    };
    content.sign(&signer.seed)
}

fn paper(definition: &EventDefinition, plan: (&Layout, &SeatIndex), order: &Order, ticket: &Ticket) -> Paper {
    let spot = spot(definition, plan, &ticket.seat);
    let entrance = definition.show.as_ref().and_then(|show| Show::entrance_of(show, spot.area)).map(str::to_owned);
    Paper {
        place: ticket.seat.clone(),
        entrance,
        position: spot.position,
        level: level(definition, order, &ticket.seat),
        revision: ticket.revision,
        payload: String::new(),
    }
}

/// A seat that the plan does not know any more is told by its id.
fn spot<'a>(definition: &EventDefinition, (layout, index): (&'a Layout, &SeatIndex), place: &'a str) -> Spot<'a> {
    if let Some((pool, n)) = place.rsplit_once('/') {
        let name = pool.parse::<PoolId>().ok().and_then(|id| definition.pool(&id)).map(|pool| pool.name.clone());
        let name = name.unwrap_or_else(|| pool.to_owned());
        return Spot { position: vec![("Area", name), ("Place", n.to_owned())], area: pool };
    }
    let found = place.parse::<SeatId>().ok().and_then(|seat| index.get(&seat));
    let seen = found.and_then(|at| {
        let section = layout.sections.get(at.section)?;
        let row = section.rows.get(at.row)?;
        Some((section, row, row.seats.get(at.in_row)?))
    });
    let Some((section, row, seat)) = seen else {
        return Spot { position: vec![("Seat", place.to_owned())], area: "" };
    };
    let words = [("Section", &section.name), ("Row", &row.label), ("Seat", &seat.label)];
    let position = words.into_iter().filter(|(_, word)| !word.is_empty()).map(|(what, word)| (what, word.clone()));
    Spot { position: position.collect(), area: section.id.as_str() }
}

/// The name of the place's price level, and of its price type where there are several.
fn level(definition: &EventDefinition, order: &Order, place: &str) -> String {
    let pool = place.rsplit_once('/').map(|(pool, _)| pool);
    let seat = order.places.seats.iter().find(|line| line.seat.as_str() == place);
    let of_pool = order.places.pools.iter().find(|line| Some(line.pool.as_str()) == pool);
    let (id, price_type) = match (seat, of_pool) {
        (Some(line), _) => (line.level.as_str(), line.price_type.as_deref()),
        (None, Some(line)) => (line.level.as_str(), pool_type(order, place)),
        (None, None) => return String::new(),
    };
    let Some(level) = definition.level(id) else { return id.to_owned() };
    let named = level.types.iter().find(|t| Some(t.id.as_str()) == price_type).map(|t| t.name.as_str());
    named.map_or_else(|| level.name.clone(), |name| format!("{}, {name}", level.name))
}

/// The price type of the n-th place of a pool: its lines hold as many places as their quantity, in order.
fn pool_type<'a>(order: &'a Order, place: &str) -> Option<&'a str> {
    let (pool, n) = place.rsplit_once('/')?;
    let mut left = n.parse::<u32>().ok()?;
    for line in order.places.pools.iter().filter(|line| line.pool.as_str() == pool) {
        if left <= line.quantity {
            return line.price_type.as_deref();
        }
        left -= line.quantity;
    }
    None
}
