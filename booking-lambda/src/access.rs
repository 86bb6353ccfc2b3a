//! Who calls, and whether it is their turn: the access token, verified again.

use domain::ids::{AccountId, EventId};
use domain::items::ClockItem;
use domain::time::{Clock, EventMs};
use domain::token::{AccessToken, Token as _};

use checkout::wall_now;

use crate::app::App;
use crate::call::Call;
use crate::problem::Problem;

/// A caller whose token was issued here for this event.
#[derive(Debug, Clone, Copy)]
pub struct Visitor {
    /// Whose turn it is or was.
    pub account: AccountId,
    /// The lane in which the turn came.
    pub lane: u8,
    /// Whether the session is not over.
    pub in_session: bool,
    /// The event's revocation epoch.
    pub rev: u32,
    /// The event's clock.
    pub clock: Clock,
}

impl Visitor {
    /// Event time now.
    pub fn now(&self) -> EventMs {
        self.clock.now(wall_now())
    }

    /// Lets a caller on whose session is not over, or who has something live: a session outlives its end
    /// by a live hold or an order that is being paid.
    ///
    /// # Errors
    /// Neither.
    pub fn or_has(&self, something_live: bool) -> Result<(), Problem> {
        if self.in_session || something_live { Ok(()) } else { Err(Problem::AccessRequired) }
    }
}

/// The token that a call carries, if it was issued here for this event; it may have expired.
///
/// # Errors
/// No token, or not one of ours.
pub fn token(app: &App, event: &EventId, call: &Call) -> Result<AccessToken, Problem> {
    let token = call.access().ok_or(Problem::AccessRequired)?;
    AccessToken::decode(token, &app.keys, event).map_err(|_| Problem::AccessRequired)
}

/// The caller of this event. The token is checked before the table is asked anything.
///
/// # Errors
/// No token, not one of ours, or one that was revoked; or the event has no clock yet, so that nobody's turn can have come.
pub async fn visitor(app: &App, event: &EventId, call: &Call) -> Result<Visitor, Problem> {
    let token = token(app, event, call)?;
    let ClockItem { clock, rev, .. } = app.table.clock(event).await?.ok_or(Problem::Unavailable)?;
    if token.rev < rev {
        return Err(Problem::TokenRevoked);
    }
    let in_session = token.live(clock.now(wall_now()));
    Ok(Visitor { account: token.account, lane: token.lane, in_session, rev, clock })
}

/// The caller of this event, whose session must not be over.
///
/// # Errors
/// As [`visitor`], and a session that is over.
pub async fn shopper(app: &App, event: &EventId, call: &Call) -> Result<Visitor, Problem> {
    let visitor = visitor(app, event, call).await?;
    visitor.or_has(false)?;
    Ok(visitor)
}
