//! Coming back without storage: what the shards have is all there is. The rule is `domain::cohort::recover`.
//!
//! A shard that has an event wakes its silent Pacer; one that has no event then asks all shards, at every alarm until all have
//! answered. An operator's definition of an event that this Pacer does not know asks them too.

use domain::cohort::{Grants, Recovery as Next, Remains, Row, recover};
use domain::ids::EventId;
use domain::lane::MAIN;

use super::Pacer;
use super::store::Recovery;
use crate::alone::Alone;
use crate::clock;
use crate::event::Edition;
use crate::objects;
use crate::problem::{Code, Problem};
use crate::wire::{RemainsAsk, RemainsTold, RowsAsk, WakeAsk, shard_op};

/// Questions in one attempt: what is there, the promise, and once more for a beat that came in between.
const ROUNDS: u32 = 3;

/// What restoring puts into the empty storage.
struct Restored {
    beat: u64,
    event: Edition,
    lines: Vec<RestoredLine>,
}

/// A line as its shards tell it.
struct RestoredLine {
    line: u8,
    grants: Grants,
    /// The shard that has its newest row.
    rows: Option<u16>,
    told: Vec<RemainsTold>,
}

/// What became of a question to one line.
enum Told {
    /// Its shards know nothing.
    New,
    /// They have to promise this beat first.
    Ask(u64),
    /// Everything is known.
    Known(RestoredLine),
}

impl Pacer {
    /// The event; while it is being restored the refusal says what is waited for.
    pub(super) fn event(&self) -> Result<Edition, Problem> {
        let store = self.store()?;
        if let Some(event) = store.event()? {
            return Ok(event);
        }
        match store.recovery()? {
            Some(recovery) => Err(Problem::because(Code::LineUnavailable, recovery.waits)),
            None => Err(Code::NotFound.into()),
        }
    }

    /// A shard has an event: if there is none here, it is to be restored.
    pub(super) async fn wake(&self, ask: WakeAsk) -> Result<String, Problem> {
        let store = self.store()?;
        if store.event()?.is_none() && store.recovery()?.is_none() {
            store.put_recovery(Some(&begun(ask.shards)))?;
            self.arm_soon().await?;
        }
        Ok("null".into())
    }

    /// Goes on restoring, if that was begun.
    pub(super) async fn recover_on(&self) -> Result<(), Problem> {
        match self.store()?.recovery()? {
            Some(recovery) => self.recover(recovery.shards).await,
            None => Ok(()),
        }
    }

    /// Restores what the shards know; nothing if they know nothing, for then the event is new.
    pub(super) async fn recover(&self, shards: u16) -> Result<(), Problem> {
        let alone = Alone::at(&self.restoring);
        let _alone = alone.ok_or_else(|| Problem::because(Code::LineUnavailable, "restoring"))?;
        let (store, id) = (self.store()?, self.id()?);
        let mut now = store.recovery()?.unwrap_or_else(|| begun(shards));
        now.shards = now.shards.max(shards);
        for _ in 0..ROUNDS {
            match self.question(&id, &now).await {
                Ok(Ok(restored)) => return self.restore(&restored),
                Ok(Err(Told::Ask(beat))) => {
                    now.beat = beat;
                    store.put_recovery(Some(&now))?;
                    self.rearm().await?;
                }
                Ok(Err(_)) => return Ok(store.put_recovery(None)?),
                Err(problem) => {
                    now.waits = problem.detail.clone().unwrap_or_else(|| now.waits.clone());
                    store.put_recovery(store.recovery()?.map(|_| &now))?;
                    return Err(problem);
                }
            }
        }
        Err(Code::LineUnavailable.into())
    }

    /// Asks every line: the main one first, which knows what others there are. All have to promise the same beat.
    async fn question(&self, id: &EventId, now: &Recovery) -> Result<Result<Restored, Told>, Problem> {
        let main = match self.remains(id, now, MAIN, now.shards).await? {
            Told::Known(main) => main,
            other => return Ok(Err(other)),
        };
        let event = main.told.iter().filter_map(|told| told.event.as_ref()).max_by_key(|event| event.edition);
        let event = event.cloned().ok_or(Code::NotFound)?;
        let mut lines = vec![main];
        for line in event.lines().filter(|line| *line != MAIN) {
            match self.remains(id, now, line, event.shards_of(line)).await? {
                Told::Known(known) => lines.push(known),
                ask => return Ok(Err(ask)),
            }
        }
        for line in &lines {
            self.fetch_rows(id, line.line, line.rows).await?;
        }
        Ok(Ok(Restored { beat: now.beat, event, lines }))
    }

    /// What a line's shards have.
    async fn remains(&self, id: &EventId, now: &Recovery, line: u8, shards: u16) -> Result<Told, Problem> {
        let ask = RemainsAsk { beat: now.beat };
        let told: Vec<RemainsTold> = self.ask_shards(id, line, shards, shard_op::REMAINS, &ask).await?;
        let remains: Vec<Remains> = told.iter().map(|told| told.remains.clone()).collect();
        match recover(shards, now.beat, &remains) {
            Ok(Next::New) if line == MAIN => Ok(Told::New),
            // Nobody came to it yet, or it lost everything: whatever was granted is not granted again.
            Ok(Next::New) => {
                let grants = Grants::restored(now.beat, &remains);
                Ok(Told::Known(RestoredLine { line, grants, rows: None, told }))
            }
            Ok(Next::Ask(beat)) => Ok(Told::Ask(beat)),
            Ok(Next::Restore { rows, grants, .. }) => Ok(Told::Known(RestoredLine { line, grants, rows, told })),
            Err(reason) => {
                let of = if line == MAIN { String::new() } else { format!(" (line {line})") };
                Err(Problem::because(Code::LineUnavailable, format!("{reason}{of}")))
            }
        }
    }

    /// The event's id: this object's name.
    fn id(&self) -> Result<EventId, Problem> {
        self.state.id().name().and_then(|name| name.parse().ok()).ok_or_else(|| Code::Internal.into())
    }

    /// Takes the rows that are missing here from a shard that has them all. They stand, so a part of them does no harm.
    async fn fetch_rows(&self, id: &EventId, line: u8, from: Option<u16>) -> Result<(), Problem> {
        let store = self.store()?.line(line);
        let Some(from) = from else { return Ok(()) };
        let shard = objects::line_shard(&self.env, id, line, from)?;
        loop {
            let after = store.last_row()?.map(|row| row.k);
            let rows: Vec<Row> = objects::ask(&shard, shard_op::ROWS, &RowsAsk { line, after }).await?;
            if rows.is_empty() {
                return Ok(());
            }
            rows.iter().try_for_each(|row| store.insert_row(row))?;
        }
    }

    /// Writes everything at once: nothing here awaits. With the event the Pacer is back.
    fn restore(&self, restored: &Restored) -> Result<(), Problem> {
        let (store, Restored { beat, event, lines }) = (self.store()?, restored);
        let mut told = lines.iter().flat_map(|line| &line.told);
        if let Some((_, facts)) = told
            .by_ref()
            .filter_map(|told| told.facts.as_ref().filter(|(_, facts)| !facts.is_empty()))
            .max_by_key(|(beat, _)| *beat)
        {
            store.put_facts(facts)?;
        }
        store.put_beat(*beat)?;
        for RestoredLine { line, grants, told, .. } in lines {
            store.line(*line).put_grants(grants)?;
            // Map and event go to every shard again.
            let answers = told.iter().map(|told| (told.remains.shard, told.answer.clone())).collect();
            store.line(*line).put_shards(&answers)?;
        }
        store.put_event(event)?;
        store.put_recovery(None)?;
        store.log(clock::now(), &format!("storage was lost; restored from the shards, beat {beat}"))?;
        Ok(())
    }
}

fn begun(shards: u16) -> Recovery {
    Recovery { shards, beat: 0, waits: "restoring".into() }
}
