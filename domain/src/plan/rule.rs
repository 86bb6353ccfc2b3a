//! Rules that are tried against the table until they are done, refused, or have learnt enough to try again.

use super::{Plan, Refused};

/// A decision: facts in, a plan out; and what a refused plan means.
///
/// Facts are the rule's own fields. A rule that tries again carries what the old items taught it, so
/// each round is exact and the number of rounds is bounded by what there is to learn.
pub trait Rule: Sized {
    /// Why the rule says no.
    type Refusal;

    /// The plan, or a refusal that needs no look at the table.
    ///
    /// # Errors
    /// The rule's refusal.
    fn plan(&self) -> Result<Plan, Self::Refusal>;

    /// What it means that this rule's plan was refused.
    fn explain(&self, refused: &Refused) -> Next<Self, Self::Refusal>;
}

/// What follows a refused plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next<R, E> {
    /// It had been committed before: an own lost reply.
    Done,
    /// Try this instead.
    Again(R),
    /// No.
    No(E),
}

/// How a rule ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// Committed now.
    Committed,
    /// Found committed before.
    Already,
}

/// Rounds after which a rule that still wants to try again is given up: more than any rule can learn.
pub const MAX_ROUNDS: usize = 64;
