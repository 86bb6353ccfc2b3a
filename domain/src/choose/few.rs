//! Among how many choices one is taken by chance.

/// At least so many.
pub const FEWEST: usize = 16;
/// At most so many, at the first attempt.
pub const MOST: usize = 256;
/// One in so many of the parties that there is room for.
const OF: usize = 50;

/// Among how many of the best one is taken by chance, when `suitable` seats are free for parties of `quantity` and `lost`
/// attempts before this one met somebody faster.
///
/// A hundred who ask at once and see the same map get in each other's way: with F choices that do not overlap, the n-th of
/// them is alone with its choice with probability (1 − 1/F)ⁿ⁻¹. With F = 256 that is 83 of a hundred at the first attempt. In a
/// small hall so many would not be the best any more: there it is a fiftieth of what is left. Each lost race doubles it.
#[must_use]
pub fn few(suitable: usize, quantity: usize, lost: u32) -> usize {
    let parties = suitable / quantity.max(1);
    (parties / OF).clamp(FEWEST, MOST) << lost.min(8)
}
