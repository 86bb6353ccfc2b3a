//! What an on-sale of a given size asks of the system: arithmetic for planning, before anything is measured.
//!
//! [`OnSale::load`] is the load at its peak, with and without a line; [`cloud::bill`] is what a cloud counts and charges.
//! All times are in the unit that a name ends in; counts may be fractions, because they are averages.

pub mod cloud;
#[cfg(test)]
mod tests;
pub mod units;

/// Bits that one seat takes in the packed seat map (see [`crate::map`]).
const BITS_PER_SEAT: f64 = 2.0;
/// How often somebody without a line reloads the map, in seconds.
const RELOAD_S: f64 = 4.0;
/// Share of the requests without a line that are holds.
const HOLD_SHARE: f64 = 0.05;

/// An on-sale by its size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnSale {
    /// People at the opening.
    pub people: f64,
    /// Seats and standing places.
    pub seats: f64,
    /// Tickets per order.
    pub tickets_per_order: f64,
    /// How often a shopper's page loads the map in a minute.
    pub map_loads_per_minute: f64,
    /// How long a shopper stays inside, in minutes.
    pub minutes_inside: f64,
    /// People admitted in a minute.
    pub admitted_per_minute: f64,
    /// Share of those admitted who buy, 0 to 1.
    pub buyers: f64,
    /// Holds that a shopper tries.
    pub attempts: f64,
    /// How often somebody in the line looks at the status, in seconds.
    pub status_every_s: f64,
}

impl OnSale {
    /// The on-sale that this system is sized by.
    pub const SIZED_BY: Self = Self {
        people: 2_000_000.0,
        seats: 50_000.0,
        tickets_per_order: 2.5,
        map_loads_per_minute: 15.0,
        minutes_inside: 4.0,
        admitted_per_minute: 2_000.0,
        buyers: 0.8,
        attempts: 3.0,
        status_every_s: 15.0,
    };

    /// The load at its peak.
    pub fn load(&self) -> Load {
        let orders = self.seats / self.tickets_per_order;
        let (open_reads_per_s, inside) = (self.people / RELOAD_S, self.admitted_per_minute * self.minutes_inside);
        Load {
            orders,
            people_per_order: self.people / orders,
            open_reads_per_s,
            open_bytes_per_s: open_reads_per_s * self.seats * BITS_PER_SEAT / 8.0,
            open_holds_per_s: open_reads_per_s * HOLD_SHARE,
            inside,
            inside_per_order: inside / orders,
            map_reads_per_s: inside * self.map_loads_per_minute / 60.0,
            holds_per_s: self.admitted_per_minute * self.attempts / 60.0,
            minutes_to_sell_out: orders / (self.admitted_per_minute * self.buyers),
            status_per_s: self.people / self.status_every_s,
        }
    }

    /// People admitted until everything is sold.
    pub fn admitted(&self) -> f64 {
        self.load().orders / self.buyers
    }
}

/// What an on-sale asks at its peak. What begins with `open` is without a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Orders until sold out.
    pub orders: f64,
    /// People for each order.
    pub people_per_order: f64,
    /// Reads of the map a second, if everybody reloads it.
    pub open_reads_per_s: f64,
    /// Bytes of map a second for those.
    pub open_bytes_per_s: f64,
    /// Holds a second among those.
    pub open_holds_per_s: f64,
    /// Shoppers inside.
    pub inside: f64,
    /// Shoppers inside for each order; above 1 their clicks collide.
    pub inside_per_order: f64,
    /// Reads of the map a second.
    pub map_reads_per_s: f64,
    /// Holds a second.
    pub holds_per_s: f64,
    /// Minutes until sold out, if nobody waits inside for another's hold to end.
    pub minutes_to_sell_out: f64,
    /// Looks at the status a second.
    pub status_per_s: f64,
}

/// People a second to admit so that all seats are in holds once, when each hold lasts `hold_s` seconds and the share
/// `conversion` of them becomes an order.
pub fn rate_per_s(seats: f64, conversion: f64, hold_s: f64) -> f64 {
    seats / conversion / hold_s
}

/// How much load grows when everyone who loses, with probability `p`, tries again at once.
pub fn blind_retries(p: f64) -> f64 {
    1.0 / (1.0 - p)
}
