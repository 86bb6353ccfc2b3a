//! A wish for places of one pool, and the shares that it is served from.

use std::collections::BTreeMap;

use crate::ids::PoolId;
use crate::items::PoolLine;

/// A wish for places of one pool, before shares are chosen. All its portions are served together: together they may be
/// more than a share has, although each alone is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolAsk {
    /// Which pool.
    pub pool: PoolId,
    /// Price level id.
    pub level: String,
    /// How many places at which price.
    pub portions: Vec<Portion>,
    /// Every share of the pool, in the random order in which they are tried.
    pub order: Vec<u32>,
    /// Free places of shares that refused, as they stood then.
    pub seen: BTreeMap<u32, u32>,
}

/// Places at one price. Amounts are for one place, in minor units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Portion {
    /// Price type id; none where the level has but one price.
    pub price_type: Option<String>,
    /// How many places, at least one.
    pub quantity: u32,
    /// Price without fee.
    pub price_minor: i64,
    /// Fee.
    pub fee_minor: i64,
}

impl PoolAsk {
    /// How many places are wanted.
    #[must_use]
    pub fn quantity(&self) -> u32 {
        self.portions.iter().fold(0, |sum, portion| sum.saturating_add(portion.quantity))
    }

    /// Lines from the share that is tried alone, or from parts of several once none is known to have enough.
    ///
    /// # Errors
    /// How many places are left, when the shares together have too few.
    pub fn spread(&self) -> Result<Vec<PoolLine>, u32> {
        let wanted = self.quantity();
        let enough = |share: &&u32| self.seen.get(share).is_none_or(|free| *free >= wanted);
        match self.order.iter().find(enough) {
            Some(share) => Ok(self.fill(&[(*share, wanted)])),
            None => self.gather(wanted),
        }
    }

    fn gather(&self, wanted: u32) -> Result<Vec<PoolLine>, u32> {
        let mut missing = wanted;
        let mut shares = Vec::new();
        for share in &self.order {
            let part = self.seen.get(share).copied().unwrap_or(0).min(missing);
            if part > 0 {
                shares.push((*share, part));
                missing -= part;
            }
        }
        if missing == 0 { Ok(self.fill(&shares)) } else { Err(wanted - missing) }
    }

    /// Deals the portions out to shares, in order: a share serves several portions, a portion comes from several shares.
    fn fill(&self, shares: &[(u32, u32)]) -> Vec<PoolLine> {
        let mut lines = Vec::new();
        let mut portions = self.portions.iter().map(|portion| (portion, portion.quantity));
        let mut open = portions.next();
        for (share, mut room) in shares.iter().copied() {
            while let Some((portion, left)) = open.filter(|_| room > 0) {
                let part = left.min(room);
                lines.push(self.line(portion, share, part));
                room -= part;
                open = if left > part { Some((portion, left - part)) } else { portions.next() };
            }
        }
        lines
    }

    fn line(&self, portion: &Portion, share: u32, quantity: u32) -> PoolLine {
        PoolLine {
            pool: self.pool.clone(),
            share,
            quantity,
            level: self.level.clone(),
            price_type: portion.price_type.clone(),
            price_minor: portion.price_minor,
            fee_minor: portion.fee_minor,
        }
    }
}
