//! The executor: asks `domain::order::next_step` what comes next, does it, and asks again.
//!
//! It keeps nothing between steps but the order as the table has it and the provider's last answer, so
//! it may be dropped at any await and started again anywhere: every step is idempotent.

use domain::ids::OrderId;
use domain::items::{Order, OrderState, Unreadable};
use domain::order::{Moved, Payment, SellRefusal, next_step};
use domain::provider::{Intent, Status};
use table::{Table, TableError};

use crate::client::{Provider, ProviderError};
use crate::courier::{Courier, Unsent};
use crate::terms::Terms;

/// Carries orders along. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Checkout {
    pub(crate) table: Table,
    pub(crate) provider: Provider,
    pub(crate) courier: Option<Courier>,
}

/// How far an order is carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Until its fan can be told: paid, declined or not sold. Capture and delivery are left to the stream.
    Answer,
    /// Until nothing is left to do, or nothing now.
    End,
}

/// Why an order was not carried as far as wanted. Nothing is lost: it is carried on later.
#[derive(Debug, thiserror::Error)]
pub enum Unfinished {
    /// The provider gave no result.
    #[error("payment provider: {0}")]
    Provider(#[from] ProviderError),
    /// The table gave no result.
    #[error("table: {0}")]
    Table(#[from] TableError),
    /// The tickets were not handed out now.
    #[error(transparent)]
    Unsent(#[from] Unsent),
    /// A stored item is not what it should be.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// Stored items of the order contradict each other: for a person to look at.
    #[error("stored items of order {0} contradict each other")]
    Inconsistent(OrderId),
    /// A seat of the order had a valid ticket: stopped before it was sold twice.
    #[error("order {0} met a valid ticket on one of its seats")]
    TicketExists(OrderId),
    /// The provider has kept an amount of the order's that no step of ours leaves: for a person to look at.
    #[error("what the payment provider kept of order {0} is not explained by its steps")]
    Unexplained(OrderId),
    /// More steps than any order takes.
    #[error("order {0} does not come to an end")]
    Endless(OrderId),
    /// There is no such order.
    #[error("there is no order {0}")]
    NoOrder(OrderId),
}

/// What the provider last said about the order's intent.
#[derive(Clone, Debug)]
pub(crate) enum Known {
    Unasked,
    Missing,
    PutOff,
    Intent(Intent),
}

/// An order that was carried on.
#[derive(Clone, Debug)]
pub struct Carried {
    /// The order as it now is.
    pub order: Order,
    /// Where its fan has to go before the card answers (3-D Secure).
    pub action: Option<String>,
}

impl Known {
    pub(crate) fn payment(&self) -> Payment<'_> {
        match self {
            Self::Unasked => Payment::Unasked,
            Self::Missing => Payment::Missing,
            Self::PutOff => Payment::PutOff,
            Self::Intent(intent) => Payment::Intent(intent),
        }
    }

    fn action(self) -> Option<String> {
        match self {
            Self::Intent(intent) if intent.status == Status::RequiresAction => intent.action,
            _ => None,
        }
    }
}

/// The longest way is some twelve steps; races and lost replies repeat a few.
const MOST_STEPS: usize = 32;

impl Checkout {
    /// An executor over this table and provider.
    #[must_use]
    pub const fn new(table: Table, provider: Provider) -> Self {
        Self { table, provider, courier: None }
    }

    /// The same, which also hands tickets out; without a courier they are only shown.
    #[must_use]
    pub fn with_courier(self, courier: Courier) -> Self {
        Self { courier: Some(courier), ..self }
    }

    /// The order as the table has it.
    ///
    /// # Errors
    /// See [`Unfinished`].
    pub async fn read(&self, id: &OrderId) -> Result<Option<Order>, Unfinished> {
        Ok(self.table.order(id).await?)
    }

    /// Carries an order on until nothing is left to do, or nothing now; answers with the order as it then is.
    ///
    /// # Errors
    /// See [`Unfinished`].
    pub async fn advance(&self, id: &OrderId, terms: &Terms) -> Result<Order, Unfinished> {
        let order = self.read(id).await?.ok_or(Unfinished::NoOrder(*id))?;
        Ok(self.carry(order, terms, Goal::End).await?.order)
    }

    pub(crate) async fn carry(&self, mut order: Order, terms: &Terms, goal: Goal) -> Result<Carried, Unfinished> {
        let mut known = Known::Unasked;
        for _ in 0..MOST_STEPS {
            if goal == Goal::Answer && is_answer(order.state) {
                return Ok(Carried { order, action: None });
            }
            let Some(step) = next_step(&order, known.payment(), terms.now()) else {
                return Ok(Carried { order, action: known.action() });
            };
            tracing::debug!(order = %order.id, state = %order.state, step = ?std::mem::discriminant(&step), "step");
            (order, known) = self.take(order, known, step, terms).await?;
        }
        Err(Unfinished::Endless(order.id))
    }
}

/// Whether the fan can be told how it ended, or that it is sold.
const fn is_answer(state: OrderState) -> bool {
    !matches!(state, OrderState::Paying | OrderState::Voiding)
}

impl Unfinished {
    pub(crate) fn moved(order: &Order, moved: Moved) -> Result<(), Self> {
        match moved {
            Moved::To(_) => Ok(()),
            Moved::NotYours | Moved::Inconsistent => Err(Self::Inconsistent(order.id)),
        }
    }

    pub(crate) fn unsold(order: &Order, refusal: &SellRefusal) -> Self {
        match refusal {
            SellRefusal::TicketExists => Self::TicketExists(order.id),
            _ => Self::Inconsistent(order.id),
        }
    }
}
