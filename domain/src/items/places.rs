//! What a hold or an order is about: seats and pool places at fixed prices.

use super::attr;
use super::read::{Reader, Unreadable};
use crate::ids::{BlockId, PoolId, SeatId};
use crate::plan::Value;

/// One seat at its price. Prices are in minor units of the hold's currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatLine {
    /// Which seat.
    pub seat: SeatId,
    /// The block whose partition the seat lives in.
    pub block: BlockId,
    /// Price level id.
    pub level: String,
    /// Price type id; none where the level has but one price.
    pub price_type: Option<String>,
    /// Price without fee.
    pub price_minor: i64,
    /// Fee.
    pub fee_minor: i64,
}

/// Places of one share of a pool; prices are for one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolLine {
    /// Which pool.
    pub pool: PoolId,
    /// Which of its shares.
    pub share: u32,
    /// How many places, at least one.
    pub quantity: u32,
    /// Price level id.
    pub level: String,
    /// Price type id; none where the level has but one price.
    pub price_type: Option<String>,
    /// Price without fee.
    pub price_minor: i64,
    /// Fee.
    pub fee_minor: i64,
}

/// Seats in sorted order and pool places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Seats, sorted by id, each once.
    pub seats: Vec<SeatLine>,
    /// Pool places, sorted by pool and share; a share has one line for each price.
    pub pools: Vec<PoolLine>,
}

impl Places {
    /// How many places in all.
    #[must_use]
    pub fn count(&self) -> u32 {
        let seats = u32::try_from(self.seats.len()).unwrap_or(u32::MAX);
        self.pools.iter().fold(seats, |sum, line| sum.saturating_add(line.quantity))
    }

    /// What they cost with fees, in minor units.
    #[must_use]
    pub fn total_minor(&self) -> i64 {
        let seats = self.seats.iter().map(|l| l.price_minor.saturating_add(l.fee_minor));
        let pools =
            self.pools.iter().map(|l| i64::from(l.quantity).saturating_mul(l.price_minor.saturating_add(l.fee_minor)));
        seats.chain(pools).fold(0, i64::saturating_add)
    }

    /// The places without `seats`.
    #[must_use]
    pub fn without(&self, seats: &[SeatId]) -> Self {
        let keep = self.seats.iter().filter(|l| !seats.contains(&l.seat));
        Self { seats: keep.cloned().collect(), pools: self.pools.clone() }
    }

    /// Of the places, `seats` alone.
    #[must_use]
    pub fn only(&self, seats: &[SeatId]) -> Self {
        let take = self.seats.iter().filter(|l| seats.contains(&l.seat));
        Self { seats: take.cloned().collect(), pools: Vec::new() }
    }

    /// The seats as stored.
    #[must_use]
    pub fn seats_value(&self) -> Value {
        Value::L(self.seats.iter().map(seat_value).collect())
    }

    /// The pool places as stored.
    #[must_use]
    pub fn pools_value(&self) -> Value {
        Value::L(self.pools.iter().map(pool_value).collect())
    }

    pub(super) fn read(reader: &Reader<'_>) -> Result<Self, Unreadable> {
        let seats = reader.list(attr::SEATS).iter().map(seat_line).collect::<Option<_>>();
        let pools = reader.list(attr::POOLS).iter().map(pool_line).collect::<Option<_>>();
        Ok(Self {
            seats: seats.ok_or_else(|| reader.bad(attr::SEATS))?,
            pools: pools.ok_or_else(|| reader.bad(attr::POOLS))?,
        })
    }
}

fn seat_value(line: &SeatLine) -> Value {
    let parts = [line.seat.to_string(), line.block.to_string(), line.level.clone()];
    let mut list: Vec<Value> = parts.into_iter().map(Value::S).collect();
    list.extend([line.price_minor.into(), line.fee_minor.into()]);
    list.extend(line.price_type.clone().map(Value::S));
    Value::L(list)
}

fn pool_value(line: &PoolLine) -> Value {
    let mut list: Vec<Value> = vec![
        line.pool.to_string().into(),
        line.share.into(),
        line.quantity.into(),
        line.level.clone().into(),
        line.price_minor.into(),
        line.fee_minor.into(),
    ];
    list.extend(line.price_type.clone().map(Value::S));
    Value::L(list)
}

/// The price type at the end of a line; lines without one are as they were before there were types.
fn price_type(rest: &[Value]) -> Option<Option<String>> {
    match rest {
        [] => Some(None),
        [id] => Some(Some(id.as_str()?.to_owned())),
        _ => None,
    }
}

fn seat_line(value: &Value) -> Option<SeatLine> {
    let [seat, block, level, price, fee, rest @ ..] = value.as_list()? else { return None };
    Some(SeatLine {
        seat: seat.as_str()?.parse().ok()?,
        block: block.as_str()?.parse().ok()?,
        level: level.as_str()?.to_owned(),
        price_type: price_type(rest)?,
        price_minor: price.as_i64()?,
        fee_minor: fee.as_i64()?,
    })
}

fn pool_line(value: &Value) -> Option<PoolLine> {
    let [pool, share, quantity, level, price, fee, rest @ ..] = value.as_list()? else { return None };
    Some(PoolLine {
        pool: pool.as_str()?.parse().ok()?,
        share: u32::try_from(share.as_i64()?).ok()?,
        quantity: u32::try_from(quantity.as_i64()?).ok()?,
        level: level.as_str()?.to_owned(),
        price_type: price_type(rest)?,
        price_minor: price.as_i64()?,
        fee_minor: fee.as_i64()?,
    })
}
