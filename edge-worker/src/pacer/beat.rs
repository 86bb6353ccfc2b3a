//! One beat: number, pulse, cohort, decision, commit, news.
//!
//! Facts that an operator may change are read after the last `await` before the decision, and the decision is committed
//! before the next: an acknowledged pause is never overrun.

use domain::cohort::Row;
use domain::draw::SealFile;
use domain::map::chart::Chart;
use domain::operate::Orders;
use domain::pace::{self, BeatFailure, Claims, Operator, Rules};
use domain::status::Phase;
use domain::time::WallMs;
use futures_util::join;

use super::close::Closed;
use super::course::Course;
use super::fan_out::{News, late_turns};
use super::lanes::{self, LaneRows};
use super::pulse::{self, Pulse, PulseFailed, Standing};
use super::{Pacer, history, status};
use crate::clock;
use crate::config::Config;
use crate::event::Edition;
use crate::fault::Fault;
use crate::problem::Problem;
use crate::wire::MapText;

/// The version of a map that one does not have.
const NO_MAP: i64 = -1;

impl Pacer {
    /// Beats once. A beat that was overtaken by another changes nothing.
    pub(super) async fn beat(&self) -> Result<(), Problem> {
        let store = self.store()?;
        let Some(event) = store.event()? else { return self.recover_on().await };
        let config = Config::of(&self.env)?;
        let beat = store.beat()?.saturating_add(1);
        store.put_beat(beat)?;
        self.fault_point(Fault::Alarm);
        let now = clock::now();
        let (standing, closed, lanes) = join!(
            self.pulse(&config, &event, beat, now),
            self.close(&config, &event, beat, now),
            self.close_lanes(&config, &event, beat, now)
        );
        let (closed, lanes) = (closed?, lanes?);
        if store.beat()? != beat {
            return Ok(());
        }
        let news = self.decide(&config, &event, beat, standing, (closed, lanes))?;
        self.fan_out(&event, &news).await
    }

    /// Asks the origin how things stand; event time stands while the line is paused.
    async fn pulse(&self, config: &Config, event: &Edition, beat: u64, now: WallMs) -> Result<Standing, PulseFailed> {
        let store = self.store().map_err(|problem| PulseFailed::Silent(problem.code))?;
        let trouble = |_| PulseFailed::Silent(crate::problem::Code::Internal);
        let (course, orders) = (store.course().map_err(trouble)?, store.orders().map_err(trouble)?);
        let beat_ms = self.beat_ms(now).map_err(|problem| PulseFailed::Silent(problem.code))?;
        let rev = course.rev.max(orders.rev);
        let paused = orders.stand() || course.phase() == Phase::Paused;
        let answer =
            pulse::send(config, event, &Pulse { beat, paused, beat_ms, rev, map: course.map.unwrap_or(NO_MAP) }, now)
                .await;
        if let Err(PulseFailed::Behind(origin)) = answer {
            // This Pacer lost its count: the next beat goes on from the origin's.
            store.put_beat(origin.max(beat)).map_err(trouble)?;
            // One that never had a good pulse, past the opening, may have lost numbers that were given.
            if origin > beat && !course.known_to_origin() && now >= event.opens_at_ms {
                store.put_lost().map_err(trouble)?;
            }
        }
        answer
    }

    /// Decides and commits. Nothing here awaits.
    fn decide(
        &self,
        config: &Config,
        event: &Edition,
        beat: u64,
        standing: Result<Standing, PulseFailed>,
        (closed, lanes): (Closed, LaneRows),
    ) -> Result<News, Problem> {
        let (store, now) = (self.store()?, clock::now());
        let (before, orders, shards) = (store.course()?, store.orders()?, store.main().shards()?);
        let beat_ms = self.beat_ms(now)?;
        let Orders { paused, stopped, message, rate, closed: ended, no_beacon: _, rev, invited } = orders;
        let operator = Operator { paused, stopped, closed: ended };
        let seats = standing.as_ref().map_or(before.stock.seats(), |standing| standing.stock.seats());
        let set = rate.or(event.rate_per_minute);
        let rules = event.rules(set.unwrap_or_else(|| before.pace.learned.rate(seats)));
        let rules = Rules { beat_ms, ..rules };
        let given = closed.row.as_ref().map_or(0, Row::given);
        let of_lanes = lanes::facts(event, &lanes, &before.lanes);
        let facts = pace::BeatFacts {
            now,
            rules: &rules,
            operator: &operator,
            drawn: closed.row.is_some(),
            given,
            lanes: &of_lanes,
            claims: shards.values().fold(Claims::default(), |sum, shard| sum + shard.claims),
            late_waiting: shards.values().map(|shard| shard.late_waiting).sum(),
            pulse: standing.as_ref().map(|s| s.facts(beat, event.tickets_per_order)).map_err(|_| BeatFailure::Pulse),
        };
        let decision = pace::beat(&before.pace, &facts);
        let (late, failed) = (decision.1.late, decision.1.failed.is_some());
        let mut course = before.clone().after(beat, now, decision, &standing);
        (course.given, course.rate) = (given, rules.rate_per_minute);
        course.lanes = of_lanes.iter().map(|lane| lane.given).collect();
        course.invited = self.invite(event, &lanes, before.invited, invited)?;
        course.rev = course.rev.max(rev);
        if course.draw.is_none() {
            course.draw = status::first_draw(config, event, &closed);
        }
        let joined = self.joined(event)?;
        course.mark = Some(history::mark(&course, &facts.claims, joined, failed, (now, rules.opens)));
        self.keep(&before, &course, &standing, now)?;
        let seal = closed.seal.as_ref().map(|seal| seal.file(config, event)).transpose()?;
        let (waiting, sealed) = (closed.waiting, seal.as_ref().map(SealFile::hash));
        let operator = &operator;
        let about = status::Facts { event, beat, operator, message, waiting, sealed, joined, rules: &rules, now };
        Ok(News {
            beat,
            beat_ms,
            closed: course.phase() == Phase::Closed,
            event_ms: course.clock(now).now(now),
            lapsed: course.pace.lapsed,
            lapsed_lanes: course.pace.lanes.map(|lane| lane.lapsed),
            invited: course.invited,
            rev: course.rev,
            turns: late_turns(&shards, late),
            status: status::sign(config, &course, &about)?,
            row: closed.row,
            lanes,
            seal: seal.map(|file| file.text()),
            facts: store.facts()?,
        })
    }

    /// People in the main line and the lanes, with a number or not yet.
    pub(super) fn joined(&self, event: &Edition) -> Result<u64, Problem> {
        let store = self.store()?;
        let lines = domain::lane::numbers(&event.lanes);
        Ok(lines.map(|line| store.line(line).entries()).sum::<worker::Result<u64>>()?)
    }

    /// Entries in all lines, also those that admit nobody.
    pub(super) fn in_all(&self, event: &Edition) -> Result<u64, Problem> {
        let store = self.store()?;
        Ok(event.lines().map(|line| store.line(line).entries()).sum::<worker::Result<u64>>()?)
    }

    /// Writes the beat's decision, its map and what there is to tell the operator.
    fn keep(
        &self,
        before: &Course,
        course: &Course,
        standing: &Result<Standing, PulseFailed>,
        now: WallMs,
    ) -> Result<(), Problem> {
        let store = self.store()?;
        if let Ok(standing) = standing {
            self.keep_map(standing, now)?;
        }
        store.put_course(course)?;
        course.mark.iter().try_for_each(|mark| store.keep_mark(mark))?;
        if course.phase() == Phase::Closed {
            // For good, also if it was the end's time that closed it: the secret is published from now on.
            store.put_orders(&Orders { closed: true, ..store.orders()? })?;
        }
        if before.phase() != course.phase() {
            store.log(now, &format!("beat {}: {}", store.beat()?, phase_word(course.phase())))?;
        }
        if let (Err(error), 0) = (standing, before.pace.failed) {
            store.log(now, &format!("beat {} failed: {error}", store.beat()?))?;
        }
        Ok(())
    }

    /// Writes the map that came. One that makes no sense is not taken, and told of once.
    fn keep_map(&self, standing: &Standing, now: WallMs) -> Result<(), Problem> {
        let store = self.store()?;
        if let Some(sheet) = standing.sheet() {
            store.put_map(&Chart::after(store.map()?.as_ref(), sheet.clone()))?;
        }
        if let Some(counts) = standing.counts() {
            store.put_counts(&MapText { version: counts.version, text: serde_json::to_string(counts)? })?;
        }
        let (odd, known) = (standing.odd_map().map(ToString::to_string), store.odd_map()?);
        if odd != known && (odd.is_some() || standing.sheet().is_some()) {
            store.put_odd_map(odd.as_deref())?;
            let what = odd.unwrap_or_else(|| "the map makes sense again".into());
            store.log(now, &format!("beat {}: {what}", store.beat()?))?;
        }
        Ok(())
    }

    /// Time between beats at `now`, in milliseconds.
    pub(super) fn beat_ms(&self, now: WallMs) -> Result<i64, Problem> {
        let store = self.store()?;
        let Some(event) = store.event()? else { return Ok(1_000) };
        if store.orders()?.closed {
            return Ok(event.idle_beat_ms);
        }
        Ok(event.beat_at(now, Config::of(&self.env)?.loopback))
    }
}

/// The phase as the status file writes it.
fn phase_word(phase: Phase) -> String {
    serde_json::to_value(phase).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}
