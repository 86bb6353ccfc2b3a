//! Where requests meet the books: one lock, one request at a time, keys first.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use tokio::sync::mpsc;

use super::book::{Book, Entry, Movement};
use super::error::Refusal;
use super::events::{self, Event, Sent};
use super::faults::{Control, Faults};
use super::idempotency::{Answer, Remembered};
use super::intent::Intent;
use super::operation::{self, Effect, Operation, Params};

/// One `POST`, read but not judged.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub operation: Operation,
    /// The intent in the path; empty where the path has none.
    pub intent: String,
    pub path: String,
    pub params: Params,
    pub key: Option<String>,
}

/// How far a request came at once.
pub(super) enum Progress {
    Answered(Answer),
    /// A slow card was asked; ask [`Desk::finish`] at this time (milliseconds since 1970).
    Until(i64),
}

struct Inner {
    book: Book,
    faults: Faults,
    in_use: HashSet<String>,
    /// The simulator's own address.
    base: String,
    /// Where new events go, once somebody is told of them.
    courier: Option<mpsc::UnboundedSender<Event>>,
    /// What became of each event so far, by id.
    sent: BTreeMap<String, Sent>,
}

/// The books, the switches and the keys in use, behind one lock.
pub(super) struct Desk(Mutex<Inner>);

/// Milliseconds since 1970.
pub(super) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

impl Desk {
    /// A desk over these books at this address, with nothing going wrong.
    pub fn new(book: Book, base: String) -> Self {
        let (faults, in_use, sent) = Default::default();
        Self(Mutex::new(Inner { book, faults, in_use, base, courier: None, sent }))
    }

    /// Every movement of money so far.
    pub fn movements(&self) -> Vec<Movement> {
        self.lock().book.movements.clone()
    }

    /// Sets switches.
    pub fn control(&self, control: Control) {
        let mut inner = self.lock();
        inner.faults.set(control, now_ms());
        inner.settle_all();
    }

    /// From now on events are made; they come out here, those first that nobody has taken.
    pub fn tells(&self) -> mpsc::UnboundedReceiver<Event> {
        let (courier, made) = mpsc::unbounded_channel();
        let mut inner = self.lock();
        inner.book.untaken.values().for_each(|event| drop(courier.send(event.clone())));
        inner.courier = Some(courier);
        made
    }

    /// Lets everything happen whose time has come.
    pub fn settle_all(&self) {
        self.lock().settle_all();
    }

    /// Whether events are kept back at the moment, and how often each is sent though it was taken.
    pub fn sending(&self) -> (bool, u32) {
        let held = self.outage();
        let inner = self.lock();
        (held || inner.faults.hold_events, inner.faults.event_copies)
    }

    /// Notes that an event was sent, and whether the endpoint took it.
    pub fn sent(&self, event: &Event, taken: bool) {
        let mut inner = self.lock();
        let sent = inner.sent.entry(event.id.clone()).or_insert_with(|| Sent::new(event));
        sent.tries += 1;
        let first = taken && !sent.taken;
        sent.taken |= taken;
        if first {
            inner.record(Entry { taken: Some(event.id.clone()), ..Entry::default() });
        }
    }

    /// What became of every event since the simulator was started.
    pub fn events(&self) -> Vec<Sent> {
        self.lock().sent.values().cloned().collect()
    }

    /// Whether every request is to be answered 503.
    pub fn outage(&self) -> bool {
        let inner = self.lock();
        inner.faults.outage || now_ms() < inner.faults.outage_until_ms
    }

    /// What is to happen to the reply of `operation`: how long it is kept back, and whether it is lost.
    pub fn reply_fault(&self, operation: Operation) -> (Duration, bool) {
        let mut inner = self.lock();
        (Duration::from_millis(inner.faults.delay_ms(operation)), inner.faults.loses(operation))
    }

    /// Begins a request: replays, refuses or performs it.
    pub fn begin(&self, request: &Request) -> Progress {
        let mut inner = self.lock();
        inner.settle(&request.intent);
        match inner.begin(request) {
            Ok(progress) => progress,
            Err(refusal) => Progress::Answered(refusal.into()),
        }
    }

    /// Ends a request that had to wait for a slow card.
    pub fn finish(&self, request: &Request) -> Answer {
        let mut inner = self.lock();
        inner.settle(&request.intent);
        let answer = inner.show(&request.intent);
        inner.remember(request, Entry::default(), answer)
    }

    /// One intent.
    pub fn get(&self, id: &str, params: &Params) -> Answer {
        let mut inner = self.lock();
        inner.settle(id);
        let Answer { status, body } = inner.show(id);
        Answer { status, body: operation::shown(body, params, &inner.base) }
    }

    /// One page of intents.
    pub fn list(&self, params: &Params) -> Answer {
        let mut inner = self.lock();
        inner.settle_all();
        Answer { status: 200, body: operation::list(&inner.book, params, &inner.base) }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn begin(&mut self, request: &Request) -> Result<Progress, Refusal> {
        if let Some(answer) = self.replay(request)? {
            return Ok(Progress::Answered(answer));
        }
        if self.faults.fails(request.operation) {
            let answer = Refusal::server().into();
            return Ok(Progress::Answered(self.remember(request, Entry::default(), answer)));
        }
        let (book, faults) = (&self.book, &self.faults);
        let now_ms = self.now_ms();
        let effect = operation::perform(book, faults, request.operation, &request.intent, &request.params, now_ms);
        match effect {
            Ok(effect) => Ok(self.carry_out(request, effect)),
            Err(refusal) if refusal.error["code"] == "parameter_invalid" => Err(refusal),
            Err(refusal) => Ok(Progress::Answered(self.remember(request, Entry::default(), refusal.into()))),
        }
    }

    fn replay(&self, request: &Request) -> Result<Option<Answer>, Refusal> {
        let Some(key) = &request.key else { return Ok(None) };
        if self.in_use.contains(key) {
            return Err(Refusal::key_in_use());
        }
        let known = self.book.keys.get(key).filter(|first| first.is_kept(self.now_ms()));
        known.map(|first| first.again(&request.path, &request.params)).transpose()
    }

    fn carry_out(&mut self, request: &Request, Effect { entry, answer }: Effect) -> Progress {
        let slow = entry.intent.as_ref().filter(|intent| intent.status == "processing").map(|intent| intent.ready_ms);
        if let Some(ready_ms) = slow {
            self.in_use.extend(request.key.clone());
            self.record(entry);
            return Progress::Until(ready_ms);
        }
        let answer = answer.map_or_else(Answer::from, |body| Answer { status: 200, body });
        Progress::Answered(self.remember(request, entry, answer))
    }

    fn remember(&mut self, request: &Request, mut entry: Entry, answer: Answer) -> Answer {
        let body = operation::shown(answer.body, &request.params, &self.base);
        let answer = Answer { status: answer.status, body };
        if let Some(key) = &request.key {
            self.in_use.remove(key);
            let (path, params) = (request.path.clone(), request.params.clone());
            entry.key = Some((key.clone(), Remembered { path, params, answer: answer.clone(), at_ms: self.now_ms() }));
        }
        self.record(entry);
        answer
    }

    fn settle(&mut self, id: &str) {
        if let Some(entry) = operation::settle(&self.book, id, self.now_ms()) {
            self.record(entry);
        }
    }

    fn settle_all(&mut self) {
        let ids: Vec<String> = self.book.intents.keys().cloned().collect();
        ids.iter().for_each(|id| self.settle(id));
    }

    /// The simulator's own time.
    fn now_ms(&self) -> i64 {
        now_ms() + self.faults.ahead_ms
    }

    /// Books that cannot be written are no books: better no provider than one that forgets.
    fn record(&mut self, mut entry: Entry) {
        if self.courier.is_some() {
            entry.events = self.telling(&entry);
        }
        let made = entry.events.clone();
        if let Err(error) = self.book.record(entry) {
            tracing::error!(%error, "the payment simulator cannot write its books");
            std::process::abort();
        }
        let courier = self.courier.iter();
        courier.for_each(|courier| made.iter().for_each(|event| drop(courier.send(event.clone()))));
    }

    /// The events that tell of an effect.
    fn telling(&self, entry: &Entry) -> Vec<Event> {
        let Some(after) = &entry.intent else { return Vec::new() };
        let kinds =
            events::kinds(self.book.intents.get(&after.id), after, entry.money.as_ref().map(|money| money.kind));
        let numbered = (self.book.events_made + 1..).zip(kinds);
        numbered.map(|(n, kind)| events::event(n, kind, self.told(kind, after), self.now_ms())).collect()
    }

    /// What an event shows: the charge, or the intent with its charge's id.
    fn told(&self, kind: &str, intent: &Intent) -> Value {
        match intent.charge() {
            Some(charge) if kind.starts_with("charge.") => charge,
            _ => operation::shown(intent.view(), &Params::new(), &self.base),
        }
    }

    fn show(&self, id: &str) -> Answer {
        match self.book.intents.get(id) {
            Some(intent) => Answer { status: 200, body: intent.view() },
            None => Refusal::missing("payment_intent").into(),
        }
    }
}
