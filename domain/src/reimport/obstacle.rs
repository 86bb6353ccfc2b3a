//! What stands in the way of an import.

use crate::ids::{OrderId, PoolId, SeatId};
use crate::items::SeatState;

/// Something that somebody has and that the new plan would lose or move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// A seat that is in use is missing in the new plan.
    #[error("SEAT_IN_USE: seat {seat} is {state}{} and not in the plan", of(.order))]
    SeatInUse {
        /// Which.
        seat: SeatId,
        /// What it is.
        state: SeatState,
        /// Whose it is, if it is sold.
        order: Option<OrderId>,
    },
    /// A seat that is in use would get into another block of the table.
    #[error("SEAT_WOULD_MOVE: seat {seat} is {state}{} and would move to another section or block", of(.order))]
    SeatWouldMove {
        /// Which.
        seat: SeatId,
        /// What it is.
        state: SeatState,
        /// Whose it is, if it is sold.
        order: Option<OrderId>,
    },
    /// A pool has more places taken than it would have.
    #[error("POOL_IN_USE: {taken} places of pool {pool} are taken, the plan has {capacity}")]
    PoolInUse {
        /// Which.
        pool: PoolId,
        /// Places that are held, being paid or sold.
        taken: u32,
        /// Places in the new plan; 0 if it has no such pool.
        capacity: u32,
    },
    /// A share that would go has places that are taken.
    #[error("SHARE_IN_USE: share {share} of pool {pool} has {taken} places taken; keep at least {} shares", share + 1)]
    ShareInUse {
        /// Which pool.
        pool: PoolId,
        /// Which of its shares.
        share: u32,
        /// Places that are held, being paid or sold.
        taken: u32,
    },
}

fn of(order: &Option<OrderId>) -> String {
    order.map(|order| format!(" to order {order}")).unwrap_or_default()
}
