//! What may happen, a line of text each: `take fan=1 hold=3 seats=0,1 places=2 fault=lost@0`. A schedule is a list of
//! these, and a reproduction is a list that was pasted into a file.

use std::fmt::{self, Display};
use std::str::FromStr;

use crate::provider::Card;
use crate::words::words;

words! {
    /// Who does what.
    Verb {
        /// A fan asks for places under the key `hold`, once more if the key was used; `nth`: and shows a channel's key.
        Take = "take",
        /// A fan looks at a hold; `stale` acts on what was seen last.
        Look = "look",
        /// A fan gives a hold up, or `seats` of it.
        Release = "release",
        /// A fan wants more time.
        Extend = "extend",
        /// A fan pays a hold under the key `order`.
        Claim = "claim",
        /// A fan gives an order back; `stale`: by what an executor knows of it.
        Cancel = "cancel",
        /// An executor reads an order: checkout, a record of the stream, a webhook or the janitor, first or again.
        Work = "work",
        /// The executor `worker` does the next step on what it knows.
        Step = "step",
        /// The bank answers late.
        Bank = "bank",
        /// The provider tells of an order by a signed event, perhaps of one that is another shop's.
        Hint = "hint",
        /// A mistake above the table: seats that are not held have a time all the same. Only scenarios have it.
        Tamper = "tamper",
        /// The provider's memory of idempotency keys ends.
        Forget = "forget",
        /// Event time goes on by `ms`.
        Pass = "pass",
        /// The sweep gets to a hold that its index lists, or once listed.
        Sweep = "sweep",
        /// An operator blocks seats, or keeps them for the house (`nth`); `stale`: only those that nobody has, `places`: only from
        /// the hold in which an operator found them before.
        Block = "block",
        /// An operator frees blocked seats.
        Unblock = "unblock",
        /// An operator keeps seats for a channel (`nth`), or no more.
        Assign = "assign",
        /// The import `worker` of the `nth` layout takes the fence over, and looks at what is to be written.
        Plan = "plan",
        /// The import `worker` writes its next part.
        Part = "part",
        /// A beat reaches the clock, `nth` beats late; `stale`: the note of one reaches the map.
        Beat = "beat",
        /// The projection reads all seats and places.
        Survey = "survey",
        /// The projection writes the map of the `nth` reading before.
        Draw = "draw",
    }
}

words! {
    /// What goes wrong with one action of an operation.
    Trouble {
        Nothing = "nothing",
        /// It is not done, and the caller gives up or asks again later.
        Busy = "busy",
        /// It is done, the reply is lost, and it is tried again.
        Lost = "lost",
        /// The caller dies before it.
        Before = "before",
        /// It is done and the caller dies.
        After = "after",
        /// A refusal names one failed condition only: the other writes collided.
        Short = "short",
        /// It is done, the reply is lost, and the refusal of the second try is short.
        LostShort = "lost_short",
    }
}

/// Which action of an operation is in trouble, from 0; `pick` chooses what a short refusal names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fault {
    pub trouble: Trouble,
    pub at: u32,
    pub pick: u32,
}

impl Fault {
    pub const NONE: Self = Self { trouble: Trouble::Nothing, at: 0, pick: 0 };
}

/// One operation. What a verb does not use is left at nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Op {
    pub verb: Verb,
    pub fan: u32,
    pub hold: u32,
    pub order: u32,
    pub worker: u32,
    pub seats: Vec<u32>,
    pub places: u32,
    /// The hold to be replaced; 0 for none.
    pub replaces: u32,
    pub ms: i64,
    pub nth: u32,
    pub card: Card,
    pub stale: bool,
    pub fault: Fault,
}

impl Op {
    pub fn new(verb: Verb) -> Self {
        Self {
            verb,
            fan: 0,
            hold: 0,
            order: 0,
            worker: 0,
            seats: vec![],
            places: 0,
            replaces: 0,
            ms: 0,
            nth: 0,
            card: Card::Good,
            stale: false,
            fault: Fault::NONE,
        }
    }
}

impl Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.verb)?;
        let numbers = [
            ("fan", self.fan),
            ("hold", self.hold),
            ("order", self.order),
            ("worker", self.worker),
            ("places", self.places),
            ("replaces", self.replaces),
            ("nth", self.nth),
        ];
        numbers.iter().filter(|(_, n)| *n > 0).try_for_each(|(name, n)| write!(f, " {name}={n}"))?;
        if !self.seats.is_empty() {
            let seats: Vec<String> = self.seats.iter().map(u32::to_string).collect();
            write!(f, " seats={}", seats.join(","))?;
        }
        if self.ms > 0 {
            write!(f, " ms={}", self.ms)?;
        }
        if self.card != Card::Good {
            write!(f, " card={}", self.card)?;
        }
        if self.stale {
            f.write_str(" stale")?;
        }
        let Fault { trouble, at, pick } = self.fault;
        if trouble == Trouble::Nothing { Ok(()) } else { write!(f, " fault={trouble}@{at}.{pick}") }
    }
}

impl FromStr for Op {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let mut op = Self::new(words.next().ok_or("an empty line")?.parse()?);
        for word in words {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            op.set(name, value).map_err(|e| format!("{word}: {e}"))?;
        }
        Ok(op)
    }
}

impl Op {
    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "fan" => self.fan = number(value)?,
            "hold" => self.hold = number(value)?,
            "order" => self.order = number(value)?,
            "worker" => self.worker = number(value)?,
            "places" => self.places = number(value)?,
            "replaces" => self.replaces = number(value)?,
            "nth" => self.nth = number(value)?,
            "seats" => self.seats = value.split(',').map(number).collect::<Result<_, _>>()?,
            "ms" => self.ms = number(value)?,
            "card" => self.card = value.parse()?,
            "stale" => self.stale = true,
            "fault" => self.fault = value.parse()?,
            _ => return Err("no such word".into()),
        }
        Ok(())
    }
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (trouble, place) = text.split_once('@').ok_or("a fault is trouble@action.pick")?;
        let (at, pick) = place.split_once('.').ok_or("a fault is trouble@action.pick")?;
        Ok(Self { trouble: trouble.parse()?, at: number(at)?, pick: number(pick)? })
    }
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "not a number".to_owned())
}

#[test]
fn a_line_reads_as_it_is_written() {
    let fault = Fault { trouble: Trouble::Short, at: 1, pick: 2 };
    let take = Op { fan: 1, hold: 3, seats: vec![0, 7], replaces: 2, stale: true, fault, ..Op::new(Verb::Take) };
    let line = "take fan=1 hold=3 replaces=2 seats=0,7 stale fault=short@1.2";
    assert_eq!((take.to_string().as_str(), line.parse()), (line, Ok(take)));
    assert!("take fan=x".parse::<Op>().is_err() && "jump".parse::<Op>().is_err());
}
