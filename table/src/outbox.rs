//! Messages to the organiser: writing those that an order implies, and finding those that are to be sent.

use domain::ids::{EventId, OrderId};
use domain::items::{BUCKETS, OutMessage, key};
use domain::outbox::{Note, Stale, tickets};
use domain::plan::Key;
use domain::time::{EventMs, WallMs};

use crate::commit::DecideError;
use crate::{Table, TableError};

/// How often an order is read again that moves on meanwhile.
const READS: u32 = 8;

impl Table {
    /// Writes the messages that an order implies and that are not there; answers how many were missing. No order, no messages.
    ///
    /// # Errors
    /// That the table failed or an item is unreadable.
    pub async fn note_messages(&self, id: &OrderId, now: WallMs) -> Result<usize, TableError> {
        for _ in 0..READS {
            let Some(order) = self.order(id).await? else { return Ok(0) };
            let known = self.messages(id).await?.iter().map(|message| message.rank).collect();
            let handed = self.get(&key::delivery(id, 1)).await?.as_ref().map(tickets).unwrap_or_default();
            let note = Note { order, known, handed, now };
            let missing = note.missing().len();
            if missing == 0 {
                return Ok(0);
            }
            match self.decide(note).await {
                Ok(_) => return Ok(missing),
                Err(DecideError::Refused(Stale)) => {}
                Err(DecideError::Table(error)) => return Err(error),
            }
        }
        Err(TableError::Busy("the order moves on"))
    }

    /// An order's messages, in the order in which they are sent.
    ///
    /// # Errors
    /// That the table failed or an item is unreadable.
    pub async fn messages(&self, order: &OrderId) -> Result<Vec<OutMessage>, TableError> {
        let items = self.query(&key::order(order).pk, key::OUT).await?;
        Ok(items.iter().map(OutMessage::from_item).collect::<Result<_, _>>()?)
    }

    /// Keys of messages of one bucket that are due before `before`, earliest first, at most `limit`. An index lags: read the
    /// message before acting on it.
    ///
    /// # Errors
    /// That the table failed.
    pub async fn due_messages(
        &self,
        event: &EventId,
        bucket: u8,
        before: WallMs,
        limit: i32,
    ) -> Result<Vec<Key>, TableError> {
        self.open(&key::open_out(event, bucket % BUCKETS), EventMs(before.0), limit).await
    }

    /// Keys of messages that were given up, longest ago first, at most `limit`.
    ///
    /// # Errors
    /// That the table failed.
    pub async fn parked_messages(&self, event: &EventId, limit: i32) -> Result<Vec<Key>, TableError> {
        self.open(&key::parked_out(event), EventMs(i64::MAX), limit).await
    }
}
