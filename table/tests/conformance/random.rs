//! What a condition or change means in memory it means at the table: random items, every kind of condition in random nestings,
//! random changes. What differs is printed with its plan and items.

use std::collections::BTreeMap;

use domain::plan::memory::World;
use domain::plan::{Change, Cond, Item, Key, Plan, Refused, Update, Value, Write};
use table::{CommitError, Table};

use crate::support;

/// Random plans, one after the other on the same items.
const PLANS: u64 = 1_500;
const ITEMS: usize = 6;
const NAMES: [&str; 4] = ["v", "w", "st", "h"];

/// Seeded choices.
struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    fn number(&mut self) -> i64 {
        self.of(&[0, 1, 2, -1, -2, 9, 10, 99, 100, i64::from(i32::MAX), i64::MAX / 2, i64::MIN / 2])
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(10) {
            0..=3 => Value::N(self.number()),
            4..=6 => Value::S(self.of(&["", "a", "b", "ab", "held", "free", "9", "10", "é", "z", "Ω"]).into()),
            7 => Value::B(self.of(&[vec![], vec![0], vec![0, 0], vec![1], vec![127], vec![128], vec![255]])),
            8 => Value::Bool(self.below(2) == 0),
            _ if depth == 0 => Value::L(vec![]),
            _ => Value::L((0..self.below(3)).map(|_| self.value(depth - 1)).collect()),
        }
    }

    /// Of the types that have an order, mostly; a comparison by order with another one is no expression for the table.
    fn ordered(&mut self) -> Value {
        loop {
            let value = self.value(0);
            if !matches!(value, Value::Bool(_) | Value::L(_)) {
                return value;
            }
        }
    }

    fn cond(&mut self, depth: usize, old: Option<&Item>) -> Cond {
        let name = self.of(&NAMES);
        match self.below(if depth == 0 { 10 } else { 14 }) {
            0 => Cond::Always,
            1 => Cond::Absent,
            2 => Cond::Exists,
            3 => Cond::Eq(name, self.like(old, name)),
            4 => Cond::Ne(name, self.like(old, name)),
            5 => Cond::Lt(name, self.ordered()),
            6 => Cond::Le(name, self.ordered()),
            7 => Cond::Gt(name, self.ordered()),
            8 => Cond::Ge(name, self.ordered()),
            9 => Cond::Missing(name),
            10 | 11 => Cond::All(self.conds(depth, old)),
            _ => Cond::Any(self.conds(depth, old)),
        }
    }

    fn conds(&mut self, depth: usize, old: Option<&Item>) -> Vec<Cond> {
        (0..self.below(4)).map(|_| self.cond(depth - 1, old)).collect()
    }

    /// Often the very value that is stored.
    fn like(&mut self, old: Option<&Item>, name: &str) -> Value {
        let stored = old.and_then(|item| item.get(name)).filter(|_| self.below(2) == 0).cloned();
        stored.unwrap_or_else(|| self.value(1))
    }

    fn item(&mut self, key: &Key) -> Item {
        let mut item: Item =
            NAMES.iter().filter(|_| self.below(3) > 0).map(|n| ((*n).to_owned(), Value::N(0))).collect();
        item.values_mut().for_each(|value| *value = self.value(2));
        item.insert("pk".into(), key.pk.as_str().into());
        item.insert("sk".into(), key.sk.as_str().into());
        item
    }

    /// Each attribute is changed in one way at most; only numbers are added to.
    fn update(&mut self, old: Option<&Item>) -> Update {
        let mut update = Update::new();
        for name in NAMES {
            let number = old.and_then(|i| i.get(name)).is_none_or(|v| matches!(v, Value::N(_)));
            update = match self.below(5) {
                0 => update.set(name, self.value(2)),
                1 if number => update.add(name, self.of(&[1, -1, 7, -300])),
                2 => update.remove(name),
                _ => update,
            };
        }
        if update == Update::new() { update.set("v", 1) } else { update }
    }

    fn write(&mut self, key: Key, world: &World) -> Write {
        let old = world.get(&key).cloned();
        let expect = self.cond(3, old.as_ref());
        match self.below(4) {
            0 => Write::put(self.item(&key), expect),
            1 => Write::update(key, expect, self.update(old.as_ref())),
            2 => Write::delete(key, expect),
            _ => Write::check(key, expect),
        }
    }

    /// Some of the items, each written once; conditions that do not hold are rarer when there are many.
    fn plan(&mut self, world: &World) -> Plan {
        let first = self.below(ITEMS);
        let writes = 1 + self.below(3);
        let key = |n: usize| Key::new("P", format!("{}", (first + n) % ITEMS));
        Plan::new((0..writes).map(|n| self.write(key(n), world)).collect())
    }
}

/// How often a kind of condition or change was met, and not.
#[derive(Default)]
struct Seen(BTreeMap<String, [u32; 2]>);

impl Seen {
    fn note(&mut self, what: &str, holds: bool) {
        self.0.entry(what.to_owned()).or_default()[usize::from(holds)] += 1;
    }

    fn cond(&mut self, cond: &Cond, item: Option<&Item>) {
        let text = format!("{cond:?}");
        self.note(text.split(['(', ' ']).next().unwrap_or_default(), cond.holds(item));
        if let Cond::All(all) | Cond::Any(all) = cond {
            all.iter().for_each(|c| self.cond(c, item));
        }
    }

    fn plan(&mut self, plan: &Plan, world: &World) {
        for write in &plan.writes {
            let item = world.get(&write.key);
            self.cond(&write.expect, item);
            let change = match write.change {
                Change::Put(_) => "put",
                Change::Update(_) => "update",
                Change::Delete => "delete",
                Change::Check => "check",
            };
            self.note(change, write.expect.holds(item));
        }
    }
}

async fn commit(table: &Table, plan: &Plan) -> Result<(), Refused> {
    match table.commit(plan).await {
        Ok(()) => Ok(()),
        Err(CommitError::Refused(refused)) => Err(refused),
        Err(CommitError::Table(error)) => panic!("{error}: {plan:#?}"),
    }
}

/// The same verdict, the same old items, and afterwards the same items.
async fn same(table: &Table, world: &mut World, plan: &Plan, seed: u64) {
    let before = world.clone();
    let items = || plan.writes.iter().map(|w| before.get(&w.key)).collect::<Vec<_>>();
    let (memory, stored) = (world.commit(plan), commit(table, plan).await);
    let plain = |r: Result<(), Refused>| r.map_err(|r| r.failed);
    assert_eq!(plain(stored), plain(memory), "seed {seed}: {plan:#?} of {:#?}", items());
    let stored = table.query("P", "").await.unwrap();
    let memory: Vec<Item> = world.items().cloned().collect();
    assert_eq!(stored, memory, "seed {seed}: {plan:#?} of {:#?}", items());
}

#[tokio::test(flavor = "multi_thread")]
async fn random_plans_mean_the_same() {
    let table = support::fresh_table().await;
    let (mut world, mut seen) = (World::new(), Seen::default());
    for seed in 0..PLANS {
        let plan = Dice::new(seed).plan(&world);
        seen.plan(&plan, &world);
        same(&table, &mut world, &plan, seed).await;
    }
    seen.0.iter().for_each(|(what, [no, yes])| println!("{what}: {yes} times met, {no} times not"));
    assert_eq!(seen.0.len(), 12 + 4, "every kind of condition and change");
    assert!(seen.0.iter().all(|(what, [no, yes])| *yes > 20 && (*no > 20 || what == "Always")), "each way often");
}
