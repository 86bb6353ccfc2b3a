//! The table as a map: the same plans with the same meaning, for simulations and tests.

use std::collections::BTreeMap;

use super::{Change, Decided, Failed, Item, Key, MAX_ROUNDS, Next, Plan, Refused, Rule, Update, Value, Write};

/// A table in memory. Commits are serial, as DynamoDB's transactions are serialisable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct World {
    items: BTreeMap<Key, Item>,
}

impl World {
    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Commits the whole plan or nothing.
    ///
    /// # Errors
    /// All failed conditions with the items as they stand.
    ///
    /// # Panics
    /// On a plan that [`Plan::check`] refuses: the table would refuse it too.
    pub fn commit(&mut self, plan: &Plan) -> Result<(), Refused> {
        plan.check().unwrap_or_else(|bad| panic!("{bad}: {plan:?}"));
        let failed: Vec<Failed> = plan.writes.iter().filter_map(|w| self.fails(w)).collect();
        if !failed.is_empty() {
            return Err(Refused { failed, partial: false });
        }
        for write in &plan.writes {
            self.apply(write);
        }
        Ok(())
    }

    /// Carries a rule to its end.
    ///
    /// # Errors
    /// The rule's refusal.
    ///
    /// # Panics
    /// When the rule does not end within [`MAX_ROUNDS`].
    pub fn decide<R: Rule>(&mut self, mut rule: R) -> Result<Decided, R::Refusal> {
        for _ in 0..MAX_ROUNDS {
            let plan = rule.plan()?;
            let Err(refused) = self.commit(&plan) else { return Ok(Decided::Committed) };
            rule = match rule.explain(&refused) {
                Next::Done => return Ok(Decided::Already),
                Next::No(refusal) => return Err(refusal),
                Next::Again(next) => next,
            };
        }
        panic!("the rule learns nothing")
    }

    fn fails(&self, write: &Write) -> Option<Failed> {
        let old = self.items.get(&write.key);
        let holds = write.expect.holds(old);
        (!holds).then(|| Failed { key: write.key.clone(), old: old.cloned() })
    }

    fn apply(&mut self, write: &Write) {
        match &write.change {
            Change::Put(item) => {
                self.items.insert(write.key.clone(), item.clone());
            }
            Change::Update(update) => self.update(&write.key, update),
            Change::Delete => {
                self.items.remove(&write.key);
            }
            Change::Check => {}
        }
    }

    fn update(&mut self, key: &Key, update: &Update) {
        let item = self.items.entry(key.clone()).or_default();
        item.insert("pk".into(), key.pk.as_str().into());
        item.insert("sk".into(), key.sk.as_str().into());
        for (name, value) in &update.set {
            item.insert((*name).into(), value.clone());
        }
        for (name, by) in &update.add {
            let before = item.get(*name).and_then(Value::as_i64).unwrap_or(0);
            item.insert((*name).into(), Value::N(before + by));
        }
        for name in &update.remove {
            item.remove(*name);
        }
    }

    /// The item at `key`.
    #[must_use]
    pub fn get(&self, key: &Key) -> Option<&Item> {
        self.items.get(key)
    }

    /// The items of one partition whose sort key starts with `prefix`, in order.
    pub fn query<'a>(&'a self, pk: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a Item> {
        let from = Key::new(pk, prefix);
        let same = move |k: &&Key| k.pk == pk && k.sk.starts_with(prefix);
        self.items.range(from..).take_while(move |(k, _)| same(k)).map(|(_, item)| item)
    }

    /// Every item, in key order.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.items.values()
    }

    /// Stores an item without any condition, as an import does.
    ///
    /// # Panics
    /// On an item without `pk` and `sk`.
    pub fn put(&mut self, item: Item) {
        let key = Key::of(&item).unwrap_or_else(|| panic!("an item has pk and sk"));
        self.items.insert(key, item);
    }
}
