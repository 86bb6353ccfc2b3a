//! Fees over the lines of a hold, by largest remainder: no cent is lost and none is invented.

use super::Price;

/// What one place costs, as fixed in a hold. Minor units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amounts {
    /// Price without fee.
    pub price_minor: i64,
    /// Fee.
    pub fee_minor: i64,
}

/// Parts of a per cent fee are whole numbers of these: price in minor units × millionths.
const MILLION: i128 = 1_000_000;

/// What each place costs. The parts in per cent are added up exactly and the sum is rounded up to `step_minor`; each place
/// gets its own part rounded down, and what is missing goes, a step each, to the places that lost most, the first ones first.
///
/// So the fees add up to the exact sum, rounded once, and no place costs more than it would alone.
#[must_use]
pub fn allot(prices: &[Price], step_minor: i64) -> Vec<Amounts> {
    let whole = MILLION * i128::from(step_minor.max(1));
    let parts: Vec<i128> = prices.iter().map(|p| i128::from(p.price_minor.max(0)) * i128::from(p.fee_ppm)).collect();
    let steps = parts.iter().sum::<i128>().div_euclid(whole) + i128::from(parts.iter().sum::<i128>() % whole != 0);
    let missing = steps - parts.iter().map(|part| part / whole).sum::<i128>();
    let mut lossy: Vec<usize> = (0..parts.len()).collect();
    lossy.sort_by_key(|at| std::cmp::Reverse(parts[*at] % whole));
    let raised = &lossy[..usize::try_from(missing).unwrap_or(0).min(lossy.len())];
    let amounts = |(at, price): (usize, &Price)| {
        let percent = (parts[at] / whole + i128::from(raised.contains(&at))) * i128::from(step_minor.max(1));
        let fee = price.fee_minor.saturating_add(i64::try_from(percent).unwrap_or(i64::MAX));
        Amounts { price_minor: price.price_minor, fee_minor: fee }
    };
    prices.iter().enumerate().map(amounts).collect()
}
