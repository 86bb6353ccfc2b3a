//! One import at a time: who comes last goes on, who was overtaken writes nothing any more.

use std::collections::BTreeSet;

use crate::ids::{BlockId, EventId, PoolId};
use crate::items::{Reader, Unreadable, attr, key};
use crate::plan::{Cond, Item, MAX_WRITES, Next, Plan, Refused, Rule, Value, Write};

/// Writes of one part, beside the fence.
pub const PART: usize = MAX_WRITES - 1;

/// The fence of an event, as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fence {
    /// Event.
    pub event: EventId,
    /// Whose it is: a number that no two imports share.
    pub import: String,
    /// Every block that may have seats.
    pub blocks: BTreeSet<BlockId>,
    /// Every pool that may have shares.
    pub pools: BTreeSet<PoolId>,
}

impl Fence {
    /// The value of `k`.
    pub const KIND: &'static str = "import";

    /// As stored.
    #[must_use]
    pub fn to_item(&self) -> Item {
        let key = key::import(&self.event);
        let list = |all: &mut dyn Iterator<Item = String>| Value::L(all.map(Value::S).collect());
        Item::from([
            (attr::PK.to_owned(), key.pk.into()),
            (attr::SK.to_owned(), key.sk.into()),
            (attr::KIND.to_owned(), Self::KIND.into()),
            (attr::IMPORT.to_owned(), self.import.as_str().into()),
            (attr::BLOCKS.to_owned(), list(&mut self.blocks.iter().map(ToString::to_string))),
            (attr::POOLS.to_owned(), list(&mut self.pools.iter().map(ToString::to_string))),
        ])
    }

    /// Reads a stored fence.
    ///
    /// # Errors
    /// When an attribute is missing or unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(Self::KIND, item)?;
        Ok(Self {
            event: r.partition_key("EVENT#")?,
            import: r.text(attr::IMPORT)?.to_owned(),
            blocks: ids(&r, attr::BLOCKS)?,
            pools: ids(&r, attr::POOLS)?,
        })
    }

    /// The condition under which this import may write.
    #[must_use]
    pub fn holds(&self) -> Write {
        Write::check(key::import(&self.event), Cond::eq(attr::IMPORT, self.import.as_str()))
    }
}

fn ids<T: std::str::FromStr + Ord>(r: &Reader<'_>, name: &'static str) -> Result<BTreeSet<T>, Unreadable> {
    r.list(name).iter().map(|id| id.as_str()?.parse().ok()).collect::<Option<_>>().ok_or_else(|| r.bad(name))
}

/// A part of an import: at most [`PART`] writes, under its fence.
#[must_use]
pub fn part(fence: &Fence, writes: &[Write]) -> Plan {
    Plan::new(std::iter::once(fence.holds()).chain(writes.iter().cloned()).collect())
}

/// Takes the fence over from whoever has it, and with it what that import knew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begin {
    /// The new fence; its blocks and pools are those of the new plan and of the one in force.
    pub fence: Fence,
    /// The stored fence, as read.
    pub known: Option<Fence>,
}

/// Another import began at the same moment and has the fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("another import of the event is going on")]
pub struct Overtaken;

impl Begin {
    /// The fence as it will be stored.
    #[must_use]
    pub fn joined(&self) -> Fence {
        let mut fence = self.fence.clone();
        if let Some(known) = &self.known {
            fence.blocks.extend(known.blocks.iter().cloned());
            fence.pools.extend(known.pools.iter().cloned());
        }
        fence
    }
}

impl Rule for Begin {
    type Refusal = Overtaken;

    fn plan(&self) -> Result<Plan, Overtaken> {
        let expect = match &self.known {
            None => Cond::Absent,
            Some(known) => Cond::eq(attr::IMPORT, known.import.as_str()),
        };
        Ok(Plan::new(vec![Write::put(self.joined().to_item(), expect)]))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, Overtaken> {
        let found = refused.failed.first().and_then(|f| f.old.as_ref()).map(Fence::from_item);
        match found {
            Some(Ok(found)) if found.import == self.fence.import => Next::Done,
            _ => Next::No(Overtaken),
        }
    }
}
