//! A wish for places at their prices, as a hold fixes them.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{Amounts, Price, allot};
use crate::hold::MAX_PLACES;
use crate::ids::{PoolId, SeatId};
use crate::items::SeatLine;
use crate::layout::{Layout, SeatIndex};
use crate::plan_import::{EventDefinition, PriceLevel};
use crate::pool::{PoolAsk, Portion};

/// A seat that is wished for: its id alone, or with a price type.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "SeatWire")]
pub struct SeatWish {
    /// Which seat.
    pub seat: SeatId,
    /// Price type id; none: the level's first.
    pub price_type: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum SeatWire {
    Plain(SeatId),
    Typed(TypedSeat),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TypedSeat {
    seat: SeatId,
    #[serde(rename = "type")]
    price_type: Option<String>,
}

impl From<SeatWire> for SeatWish {
    fn from(wire: SeatWire) -> Self {
        match wire {
            SeatWire::Plain(seat) => Self { seat, price_type: None },
            SeatWire::Typed(TypedSeat { seat, price_type }) => Self { seat, price_type },
        }
    }
}

/// Pool places that are wished for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolWish {
    /// Which pool.
    pub pool: PoolId,
    /// How many places.
    pub quantity: u32,
    /// Price type id; none: the level's first.
    #[serde(rename = "type")]
    pub price_type: Option<String>,
}

/// Why a wish has no price, in order of precedence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unpriced {
    /// More than [`MAX_PLACES`].
    #[error("more places than a hold can have")]
    TooMany,
    /// A pool was named twice at one price.
    #[error("a place was named twice")]
    Twice,
    /// There are no such seats.
    #[error("no such seats")]
    SeatUnknown(Vec<SeatId>),
    /// There is no such pool.
    #[error("no such pool")]
    PoolUnknown,
    /// The level of a place has no such price type.
    #[error("no price type {0} there")]
    TypeUnknown(String),
}

/// Places at prices that stay as they are, whatever becomes of the event's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quote {
    /// Seats, sorted by id.
    pub seats: Vec<SeatLine>,
    /// Pool places, without an order of shares yet.
    pub pools: Vec<PoolAsk>,
}

/// Prices a wish. Fees in per cent are rounded once over all of it, see [`allot`].
///
/// # Errors
/// What of the wish there is not.
pub fn quote(
    event: &EventDefinition,
    layout: &Layout,
    index: &SeatIndex,
    seats: &[SeatWish],
    pools: &[PoolWish],
) -> Result<Quote, Unpriced> {
    let count = pools.iter().fold(seats.len(), |sum, pool| sum.saturating_add(pool.quantity as usize));
    if count > MAX_PLACES as usize {
        return Err(Unpriced::TooMany);
    }
    let desk = Desk { event, layout, index };
    let (lines, pools) = (desk.seats(seats)?, desk.pools(pools)?);
    let seat_prices = lines.iter().map(|(_, price)| *price);
    let place_prices = pools.iter().flat_map(|wanted| wanted.prices.iter().map(|(_, price)| *price));
    let amounts = allot(&seat_prices.chain(place_prices).collect::<Vec<_>>(), event.step_minor());
    let (of_seats, of_places) = amounts.split_at(lines.len());
    let priced = |((line, _), amounts): ((SeatLine, Price), &Amounts)| SeatLine {
        price_minor: amounts.price_minor,
        fee_minor: amounts.fee_minor,
        ..line
    };
    let seats = lines.into_iter().zip(of_seats).map(priced).collect();
    Ok(Quote { seats, pools: asks(pools, of_places) })
}

/// A pool and the price of each place that is wanted of it.
struct Wanted {
    pool: PoolId,
    level: String,
    prices: Vec<(Option<String>, Price)>,
}

struct Desk<'a> {
    event: &'a EventDefinition,
    layout: &'a Layout,
    index: &'a SeatIndex,
}

impl Desk<'_> {
    fn seats(&self, wishes: &[SeatWish]) -> Result<Vec<(SeatLine, Price)>, Unpriced> {
        let unknown = wishes.iter().map(|wish| &wish.seat).filter(|seat| self.level_of(seat).is_none());
        let unknown: Vec<SeatId> = unknown.cloned().collect();
        if !unknown.is_empty() {
            return Err(Unpriced::SeatUnknown(unknown));
        }
        let mut lines = Vec::new();
        for wish in wishes {
            let place = self.index.get(&wish.seat).zip(self.level_of(&wish.seat));
            let Some((place, level)) = place else { continue };
            let (price_type, price) = offer(level, wish.price_type.as_deref())?;
            let (seat, block, level) = (wish.seat.clone(), place.block.clone(), level.id.clone());
            lines.push((SeatLine { seat, block, level, price_type, price_minor: 0, fee_minor: 0 }, price));
        }
        lines.sort_by(|(a, _), (b, _)| a.seat.cmp(&b.seat));
        Ok(lines)
    }

    fn level_of(&self, seat: &SeatId) -> Option<&PriceLevel> {
        let place = self.index.get(seat)?;
        self.event.level(&self.layout.levels.get(place.level)?.id)
    }

    fn pools(&self, wishes: &[PoolWish]) -> Result<Vec<Wanted>, Unpriced> {
        let mut named = BTreeSet::new();
        let mut pools: BTreeMap<&PoolId, Wanted> = BTreeMap::new();
        for wish in wishes {
            let pool = self.event.pool(&wish.pool).ok_or(Unpriced::PoolUnknown)?;
            let level = self.event.level(&pool.level).ok_or(Unpriced::PoolUnknown)?;
            let (price_type, price) = offer(level, wish.price_type.as_deref())?;
            if !named.insert((&wish.pool, price_type.clone())) {
                return Err(Unpriced::Twice);
            }
            let fresh = || Wanted { pool: wish.pool.clone(), level: level.id.clone(), prices: Vec::new() };
            let wanted = pools.entry(&wish.pool).or_insert_with(fresh);
            wanted.prices.extend((0..wish.quantity).map(|_| (price_type.clone(), price)));
        }
        Ok(pools.into_values().collect())
    }
}

fn offer(level: &PriceLevel, wished: Option<&str>) -> Result<(Option<String>, Price), Unpriced> {
    level.offer(wished).ok_or_else(|| Unpriced::TypeUnknown(wished.unwrap_or_default().to_owned()))
}

/// One ask a pool; places of one type and one fee are one portion.
fn asks(pools: Vec<Wanted>, amounts: &[Amounts]) -> Vec<PoolAsk> {
    let mut amounts = amounts.iter();
    let mut ask = |wanted: Wanted| {
        let mut portions: Vec<Portion> = Vec::new();
        for ((price_type, _), amounts) in wanted.prices.into_iter().zip(amounts.by_ref()) {
            let Amounts { price_minor, fee_minor } = *amounts;
            let same = |p: &&mut Portion| p.price_type == price_type && p.fee_minor == fee_minor;
            match portions.iter_mut().find(same) {
                Some(portion) => portion.quantity += 1,
                None => portions.push(Portion { price_type, quantity: 1, price_minor, fee_minor }),
            }
        }
        PoolAsk { pool: wanted.pool, level: wanted.level, portions, order: Vec::new(), seen: BTreeMap::new() }
    };
    pools.into_iter().map(&mut ask).collect()
}
