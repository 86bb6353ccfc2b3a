//! Project: rebuilds the map of every section and pool that changed.
//!
//! Where the event tells its organiser of orders, their messages are written here too; settle and janitor send them.
//!
//! A record only says *which* section to look at; the map is built from the seats as they are now. The clock
//! passes through the same stream: once it is seen, everything written before it has been seen too.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use checkout::wall_now;
use domain::ids::{EventId, OrderId, PoolId, SectionId};
use domain::items::OrderState;
use domain::layout::section_of_block;
use domain::map::{self, NotNewer, Refresh, Seen};
use domain::plan::Rule;
use domain::plan_import::EventDefinition;
use domain::time::WallMs;
use table::{DecideError, Table, TableError};

use crate::records::{Batch, Failures, Record};
use crate::search::Teller;

/// What project needs; built once.
#[derive(Debug)]
pub struct Project {
    table: Table,
    known: Mutex<HashMap<EventId, (Instant, Arc<EventDefinition>)>>,
    teller: Option<Teller>,
}

/// What a batch touched.
#[derive(Debug, Default, PartialEq, Eq)]
struct Touched {
    sections: BTreeSet<(EventId, SectionId)>,
    pools: BTreeSet<(EventId, PoolId)>,
    /// Orders that may have something to tell.
    orders: BTreeSet<(EventId, OrderId)>,
    /// The highest beat of each event, with its wall time.
    beats: BTreeMap<EventId, (u64, WallMs)>,
}

/// How long a definition is trusted: which blocks a section has changes with an import only.
const TRUSTED: Duration = Duration::from_secs(30);

impl Project {
    /// Over this table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { table, known: Mutex::default(), teller: None }
    }

    /// Tells the search index what is new, too.
    #[must_use]
    pub fn with_teller(self, teller: Teller) -> Self {
        Self { teller: Some(teller), ..self }
    }

    /// Rebuilds what the batch touched. When anything fails, the whole batch comes again: rebuilding twice is harmless.
    pub async fn handle(&self, batch: &Batch) -> Failures {
        let mut failures = Failures::default();
        if let Err(error) = self.rebuild(&Touched::by(&batch.records)).await {
            tracing::warn!(%error, records = batch.records.len(), "the map is to be rebuilt again");
            batch.records.first().into_iter().for_each(|record| failures.add(record));
        }
        failures
    }

    /// First the map, then the beats: a beat that is seen vouches for what came before it in its event. Messages can wait, and the search
    /// index longer.
    async fn rebuild(&self, touched: &Touched) -> Result<(), TableError> {
        let failed = self.places(touched).await;
        let is_whole = |event: &EventId| !failed.iter().any(|(of, _)| of == event);
        for (event, (beat, wall)) in touched.beats.iter().filter(|(event, _)| is_whole(event)) {
            self.write(Seen { event: event.clone(), beat: *beat, wall: *wall }).await?;
        }
        let orders = touched.orders.iter().map(|(event, order)| self.order(event, order));
        let told = futures::future::try_join_all(orders).await;
        if let Some(teller) = &self.teller {
            futures::future::join_all(touched.beats.keys().map(|event| teller.look(event))).await;
        }
        told?;
        failed.into_iter().next().map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Rebuilds every place, whatever becomes of the others; answers with what failed, and of which event.
    async fn places(&self, touched: &Touched) -> Vec<(EventId, TableError)> {
        let sections = touched.sections.iter().map(|(event, id)| async move { (event, self.section(event, id).await) });
        let sections = futures::future::join_all(sections).await;
        let pools = touched.pools.iter().map(|(event, id)| async move { (event, self.pool(event, id).await) });
        let pools = futures::future::join_all(pools).await;
        let failed = |(event, done): (&EventId, Result<(), TableError>)| Some((event.clone(), done.err()?));
        sections.into_iter().chain(pools).filter_map(failed).collect()
    }

    async fn section(&self, event: &EventId, section: &SectionId) -> Result<(), TableError> {
        let definition = self.definition(event).await?;
        let Some(blocks) = definition.sections.iter().find(|known| known.section == *section) else {
            tracing::warn!(%event, %section, "a seat of a section that the event does not have");
            return Ok(());
        };
        self.table.redraw_section(event, blocks).await.map(drop)
    }

    async fn pool(&self, event: &EventId, pool: &PoolId) -> Result<(), TableError> {
        let shares = self.table.shares(event, pool).await?;
        self.write(Refresh::pool(&map::pool(event, pool, &shares))).await
    }

    /// An order that cannot be read keeps no map waiting: it is told loudly, and left.
    async fn order(&self, event: &EventId, order: &OrderId) -> Result<(), TableError> {
        if self.definition(event).await?.webhook.is_none() {
            return Ok(());
        }
        match self.table.note_messages(order, wall_now()).await {
            Err(TableError::Unreadable(error)) => {
                tracing::error!(%order, %event, %error, "an order needs a person: its messages cannot be written");
                Ok(())
            }
            other => other.map(drop),
        }
    }

    async fn write(&self, rule: impl Rule<Refusal = NotNewer>) -> Result<(), TableError> {
        match self.table.decide(rule).await {
            Ok(_) | Err(DecideError::Refused(NotNewer)) => Ok(()),
            Err(DecideError::Table(error)) => Err(error),
        }
    }

    async fn definition(&self, event: &EventId) -> Result<Arc<EventDefinition>, TableError> {
        if let Some((read_at, definition)) = self.lock().get(event)
            && read_at.elapsed() < TRUSTED
        {
            return Ok(definition.clone());
        }
        let definition =
            self.table.definition(event).await?.ok_or_else(|| TableError::Broken(format!("no event {event}")))?;
        let definition = Arc::new(definition);
        self.lock().insert(event.clone(), (Instant::now(), definition.clone()));
        Ok(definition)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<EventId, (Instant, Arc<EventDefinition>)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Touched {
    fn by(records: &[Record]) -> Self {
        let mut touched = Self::default();
        for record in records {
            if touched.add(record).is_none() {
                tracing::error!(sequence = record.sequence(), "a record is unreadable");
            }
        }
        touched
    }

    fn add(&mut self, record: &Record) -> Option<()> {
        let (kind, rest) = record.text("pk")?.split_once('#')?;
        if kind == "EVENT" {
            let beat = (u64::try_from(record.number("beat")?).ok()?, WallMs(record.number("wall")?));
            let seen = self.beats.entry(rest.parse().ok()?).or_insert(beat);
            *seen = beat.max(*seen);
            return Some(());
        }
        if kind == "ORDER" {
            if OrderState::from_word(record.text("st")?)?.was_sold() {
                self.orders.insert((record.text("e")?.parse().ok()?, rest.parse().ok()?));
            }
            return Some(());
        }
        let (event, place) = rest.split_once('#')?;
        let event = event.parse().ok()?;
        match kind {
            "SEATS" => drop(self.sections.insert((event, section_of_block(&place.parse().ok()?)?))),
            "POOL" => drop(self.pools.insert((event, place.parse().ok()?))),
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_touches_each_place_once_and_the_highest_beat_counts() {
        let record = |image: &str| -> Record {
            serde_json::from_str(&format!(r#"{{"dynamodb":{{"SequenceNumber":"1","NewImage":{{{image}}}}}}}"#))
                .expect("json")
        };
        let clock = |beat: u32| {
            record(&format!(r#""pk":{{"S":"EVENT#demo"}},"beat":{{"N":"{beat}"}},"wall":{{"N":"{beat}000"}}"#))
        };
        let place = |pk: &str| record(&format!(r#""pk":{{"S":"{pk}"}}"#));
        let order = |state: &str| {
            record(&format!(r#""pk":{{"S":"ORDER#AAAAAAAAAAAAAAAAAAAAAA"}},"st":{{"S":"{state}"}},"e":{{"S":"demo"}}"#))
        };
        let records = [
            order("captured"),
            order("paying"),
            place("SEATS#demo#W01"),
            place("SEATS#demo#W01~2"),
            clock(8),
            clock(7),
            place("POOL#demo#floor"),
            place("odd"),
        ];
        let touched = Touched::by(&records);
        let (event, section, pool) = ("demo".parse::<EventId>(), "W01".parse(), "floor".parse());
        let event = event.expect("id");
        assert_eq!(touched.sections, BTreeSet::from([(event.clone(), section.expect("id"))]));
        assert_eq!(touched.pools, BTreeSet::from([(event.clone(), pool.expect("id"))]));
        assert_eq!(touched.orders, BTreeSet::from([(event.clone(), "AAAAAAAAAAAAAAAAAAAAAA".parse().expect("id"))]));
        assert_eq!(touched.beats, BTreeMap::from([(event, (8, WallMs(8_000)))]));
    }
}
