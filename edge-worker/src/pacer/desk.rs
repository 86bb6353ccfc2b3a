//! Operators' calls: who it is, whether the role suffices, then the act. Nothing here waits between the check and the act,
//! and everything that was done or refused stands in the journal before it is answered.

use domain::edge_event::check_change;
use domain::operate::{Action, Change, Command, Note, OperatorName, Role, Situation, changed, decide};
use serde_json::{Value, json};
use subtle::ConstantTimeEq;

use super::Pacer;
use super::journal::Operator;
use crate::clock;
use crate::config::Config;
use crate::event::{EdgeEvent, Edition, findings};
use crate::operator::{Act, OperatorCall, Shown};
use crate::problem::{Code, Problem};

/// Operators of one event, at most.
const OPERATORS_MAX: usize = 100;

/// Who calls, and with what: what a line of the journal opens with.
pub(super) struct Caller {
    /// The operator's name.
    pub name: String,
    /// The operator's role.
    pub role: Role,
    action: Action,
    correlation: String,
}

impl Pacer {
    /// Answers an operator's call.
    pub(super) async fn operator(&self, call: OperatorCall) -> Result<String, Problem> {
        let caller = self.caller(&call)?;
        match call.act {
            Act::Look => self.live(&caller),
            Act::Log { after } => Ok(serde_json::to_string(&self.store()?.journal_after(after)?)?),
            Act::Course { after } => Ok(serde_json::to_string(&self.store()?.marks_after(after)?)?),
            Act::Operators => self.list(),
            Act::Define { event } => self.define(&caller, *event).await,
            Act::Add { name, role, hash } => self.add(&caller, name, Operator { role, hash, since: clock::now() }),
            Act::Remove { name } => self.remove(&caller, &name),
            Act::Order { command } => self.order(&caller, &command).await,
            Act::May => Ok("null".into()),
            Act::Pass { what } => {
                if caller.action.least() > Role::View {
                    self.note(&caller, (Value::Null, what), None)?;
                }
                Ok("null".into())
            }
        }
    }

    /// Who calls. Ladder: the key stands for somebody, the role suffices, there is an event.
    fn caller(&self, call: &OperatorCall) -> Result<Caller, Problem> {
        let store = self.store()?;
        if let Some(recovery) = store.recovery()? {
            // Operators have to be restored, too.
            return Err(Problem::because(Code::LineUnavailable, recovery.waits));
        }
        let found = match &call.shown {
            Shown::Bootstrap => Some((OperatorName::BOOTSTRAP.to_owned(), Role::Admin)),
            Shown::Key(hash) => store.operators()?.into_iter().find_map(|(name, operator)| {
                bool::from(operator.hash.ct_eq(hash)).then(|| (name.into(), operator.role))
            }),
        };
        let exists = store.event()?.is_some();
        let caller = |(name, role): (String, Role)| Caller {
            name,
            role,
            action: call.action,
            correlation: call.correlation.clone(),
        };
        let Some(caller) = found.map(caller) else {
            let nobody = caller(("?".into(), Role::View));
            return Err(self.refuse(exists, &nobody, Code::OperatorRequired.into()));
        };
        if caller.role < call.action.least() {
            let problem = Problem::from(Code::RoleRequired).with("least", call.action.least().word());
            return Err(self.refuse(exists, &caller, problem));
        }
        let new = call.action == Action::Define;
        (exists || new).then_some(caller).ok_or_else(|| Code::NotFound.into())
    }

    /// A refusal, noted if there is an event whose journal it could stand in.
    fn refuse(&self, exists: bool, caller: &Caller, problem: Problem) -> Problem {
        let noted = if exists { self.note(caller, (Value::Null, Value::Null), Some(&problem)) } else { Ok(()) };
        noted.err().unwrap_or(problem)
    }

    /// Writes a line of the journal.
    fn note(&self, caller: &Caller, (before, after): (Value, Value), refused: Option<&Problem>) -> Result<(), Problem> {
        let known = caller.name != "?";
        let note = Note {
            at_ms: clock::now(),
            who: caller.name.clone(),
            role: known.then(|| caller.role.word().to_owned()),
            what: caller.action.word(),
            before,
            after,
            refused: refused.map(Problem::word),
            correlation: caller.correlation.clone(),
        };
        Ok(self.store()?.journal(&note)?)
    }

    /// Notes calls with keys that nobody was ever given.
    pub(super) fn strangers(&self, calls: u64) -> Result<String, Problem> {
        if self.store()?.event()?.is_some() {
            let refused = Some(Problem::from(Code::OperatorRequired).word());
            let (at_ms, who, what) = (clock::now(), "?".to_owned(), "unknown-keys".to_owned());
            let (before, after) = (Value::Null, json!({ "calls": calls }));
            let note = Note { at_ms, who, role: None, what, before, after, refused, correlation: String::new() };
            self.store()?.journal(&note)?;
        }
        Ok("null".into())
    }

    /// Takes a command.
    async fn order(&self, caller: &Caller, command: &Command) -> Result<String, Problem> {
        let store = self.store()?;
        let (event, mut orders, now) = (self.event()?, store.orders()?, clock::now());
        // A Pacer that lost its storage has it from the origin.
        orders.rev = orders.rev.max(store.course()?.rev);
        let decided = decide(command, &Situation { now, event: &event.event, orders: &orders });
        let Change { orders: next, opens } = match decided {
            Ok(change) => change,
            Err(refused) => {
                let problem = Problem::because(Code::CommandRefused, refused.to_string());
                return Err(self.refuse(true, caller, problem.with_all(&serde_json::to_value(refused)?)));
            }
        };
        let (mut before, mut after) = changed(&orders, &next);
        store.put_orders(&next)?;
        if let Some(opens) = opens {
            (before, after) = (json!({ "opens_at_ms": event.opens_at_ms }), json!({ "opens_at_ms": opens }));
            let moved = EdgeEvent { opens_at_ms: opens, ..event.event.clone() };
            store.put_event(&Edition { edition: event.edition + 1, key_id: event.key_id, event: moved })?;
        }
        self.note(caller, (before, after), None)?;
        store.log(now, &format!("{}: {}", caller.name, caller.action.word()))?;
        // Whoever stops, or moves the opening, can count on every shard in reach knowing it.
        self.follow(matches!(command, Command::Stop { .. }) || opens.is_some()).await?;
        let opens = opens.unwrap_or(event.opens_at_ms);
        Ok(json!({ "orders": next, "opens_at_ms": opens }).to_string())
    }

    /// Has the line follow what was ordered: by a beat at once, or by the next one, within a second.
    async fn follow(&self, at_once: bool) -> Result<(), Problem> {
        self.arm_soon().await?;
        if at_once && let Err(problem) = self.beat().await {
            // The order stands; the next beat follows it.
            worker::console_error!("beat at once: {:?}", problem.code);
        }
        Ok(())
    }

    /// Stores the event, as a new edition if it differs, and starts the heart.
    async fn define(&self, caller: &Caller, event: EdgeEvent) -> Result<String, Problem> {
        let store = self.store()?;
        if store.event()?.is_none() {
            // A new event, or an old one whose storage is lost: the shards know.
            self.recover(event.shards).await?;
        }
        let known = store.event()?;
        let joined = match &known {
            Some(known) => self.in_all(known)?,
            None => 0,
        };
        if let Some(known) = &known
            && let Err(problem) = findings(&check_change(known, &event, joined, clock::now()))
        {
            return Err(self.refuse(true, caller, problem));
        }
        let edition = known.as_ref().map_or(0, |known| known.edition);
        if known.as_ref().is_none_or(|known| known.event != event) {
            let difference = changed(&known.as_ref().map(|known| &known.event), &Some(&event));
            let key_id = known.as_ref().map_or(Config::of(&self.env)?.keys.signing_id(), |known| known.key_id);
            store.put_event(&Edition { edition: edition + 1, key_id, event: event.clone() })?;
            self.note(caller, difference, None)?;
            store.log(clock::now(), &format!("edition {}", edition + 1))?;
        }
        let moved = known.is_some_and(|known| known.opens_at_ms != event.opens_at_ms);
        self.follow(moved).await?;
        Ok(serde_json::to_string(&event)?)
    }

    /// The operators, without anything of their keys.
    fn list(&self) -> Result<String, Problem> {
        let operators = self.store()?.operators()?;
        let one = |(name, operator): (&OperatorName, &Operator)| json!({ "name": name, "role": operator.role, "since_ms": operator.since });
        Ok(json!({ "operators": operators.iter().map(one).collect::<Vec<_>>() }).to_string())
    }

    fn add(&self, caller: &Caller, name: OperatorName, operator: Operator) -> Result<String, Problem> {
        let store = self.store()?;
        let mut operators = store.operators()?;
        if operators.len() >= OPERATORS_MAX && !operators.contains_key(&name) {
            let problem = Problem::because(Code::BadRequest, format!("an event has at most {OPERATORS_MAX} operators"));
            return Err(self.refuse(true, caller, problem));
        }
        let role = |operator: &Operator| json!({ "name": name, "role": operator.role });
        let (before, after) = (operators.get(&name).map_or(Value::Null, role), role(&operator));
        operators.insert(name.clone(), operator);
        store.put_operators(&operators)?;
        self.note(caller, (before, after), None)?;
        Ok("null".into())
    }

    fn remove(&self, caller: &Caller, name: &OperatorName) -> Result<String, Problem> {
        let store = self.store()?;
        let mut operators = store.operators()?;
        let Some(gone) = operators.remove(name) else {
            return Err(self.refuse(true, caller, Code::NotFound.into()));
        };
        store.put_operators(&operators)?;
        self.note(caller, (json!({ "name": name, "role": gone.role }), Value::Null), None)?;
        Ok(json!({ "removed": name }).to_string())
    }
}
