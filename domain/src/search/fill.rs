//! Filling the index: a batch of events as statements that may run twice, late and in any order.

use serde_json::{Value, json};

use super::SLOTS;
use super::doc::{BadDoc, Doc};

/// Most events in one batch.
pub const BATCH: usize = 200;
/// How long an event stays after it is over, in seconds: whatever is told of it late finds it still known.
const KEPT_S: i64 = 30 * 86_400;

/// Events that are written together.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch(Vec<Doc>);

/// Why a batch is refused; nothing of it is written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadBatch {
    /// None, or more than [`BATCH`].
    #[error("1 to 200 events at once")]
    Number,
    /// The same event twice.
    #[error("{0} is there twice")]
    Twice(crate::ids::EventId),
    /// An event that makes no sense.
    #[error(transparent)]
    Doc(#[from] BadDoc),
}

impl Batch {
    /// Checks events that came from elsewhere.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn new(docs: Vec<Doc>) -> Result<Self, BadBatch> {
        if docs.is_empty() || docs.len() > BATCH {
            return Err(BadBatch::Number);
        }
        let mut seen = std::collections::BTreeSet::new();
        for doc in &docs {
            doc.check()?;
            if !seen.insert(&doc.id) {
                return Err(BadBatch::Twice(doc.id.clone()));
            }
        }
        Ok(Self(docs))
    }

    /// The one value of all statements of [`fill`]: the events as they are stored.
    #[must_use]
    pub fn value(&self) -> String {
        Value::Array(self.0.iter().map(stored).collect()).to_string()
    }
}

fn stored(doc: &Doc) -> Value {
    let [x, y, z] = doc.point.map(|point| point.vector().map(Some)).unwrap_or_default();
    let mut shown = serde_json::to_value(doc).unwrap_or_default();
    // Only the index needs to know these.
    if let Some(fields) = shown.as_object_mut() {
        fields.retain(|name, _| name != "listed" && name != "version");
    }
    json!({
        "id": doc.id, "version": doc.version, "first": doc.first_row(), "listed": i32::from(doc.listed), "ends": doc.ends_at_ms,
        "price": doc.from_minor, "x": x, "y": y, "z": z, "shown": shown.to_string(), "text": doc.text(), "tags": doc.tags(),
    })
}

/// The statements that write a [`Batch`], each with [`Batch::value`] as its only value, in one transaction: into the tables that are
/// searched and into those that are being filled anew. An event that is known in the same or a higher version stays as it is.
/// Events that have been over for a month leave the tables, some with each batch, so that a search never has to pass years of them.
#[must_use]
pub fn fill() -> Vec<String> {
    SLOTS.into_iter().flat_map(of_slot).collect()
}

fn of_slot(slot: u8) -> [String; 6] {
    let older = format!(
        "SELECT e.doc FROM json_each(?1) j JOIN event_{slot} e ON e.id = j.value ->> 'id' \
         WHERE e.version < j.value ->> 'version'"
    );
    let last = format!(
        "SELECT max(o.doc) FROM event_{slot} o WHERE o.doc >= j.value ->> 'first' AND o.doc < (j.value ->> 'first') + {}",
        super::doc::first_row(1)
    );
    let over = format!(
        "SELECT doc FROM event_{slot} WHERE ?1 IS NOT NULL AND ends < (unixepoch() - {KEPT_S}) * 1000 ORDER BY ends, doc LIMIT {BATCH}"
    );
    [
        format!("DELETE FROM words_{slot} WHERE rowid IN ({over})"),
        format!("DELETE FROM event_{slot} WHERE doc IN ({over})"),
        format!("DELETE FROM words_{slot} WHERE rowid IN ({older})"),
        format!("DELETE FROM event_{slot} WHERE doc IN ({older})"),
        // A free row after those that its minute has already.
        format!(
            "INSERT INTO event_{slot} (doc, id, version, listed, ends, price, x, y, z, shown) \
             SELECT coalesce(({last}), j.value ->> 'first') + row_number() OVER (PARTITION BY j.value ->> 'first' ORDER BY j.key), \
             j.value ->> 'id', j.value ->> 'version', j.value ->> 'listed', j.value ->> 'ends', j.value ->> 'price', \
             j.value ->> 'x', j.value ->> 'y', j.value ->> 'z', j.value ->> 'shown' FROM json_each(?1) j \
             WHERE EXISTS (SELECT 1 FROM generation WHERE slot = {slot} AND state <> 'idle') \
             AND NOT EXISTS (SELECT 1 FROM event_{slot} o WHERE o.id = j.value ->> 'id')"
        ),
        format!(
            "INSERT INTO words_{slot} (rowid, text, tags) SELECT e.doc, j.value ->> 'text', j.value ->> 'tags' \
             FROM json_each(?1) j JOIN event_{slot} e ON e.id = j.value ->> 'id' AND e.version = j.value ->> 'version' \
             WHERE e.listed AND NOT EXISTS (SELECT 1 FROM words_{slot} w WHERE w.rowid = e.doc)"
        ),
    ]
}
