//! The single clauses of a condition, each left out in turn.

use domain::items::attr;
use domain::plan::{Change, Cond, Item, Value, Write};

/// Every way to leave one clause out, with its name: a demand is dropped, or one of several ways to meet it.
pub fn left_out(cond: &Cond) -> Vec<(String, Cond)> {
    match cond {
        Cond::Always => vec![],
        Cond::All(all) => within(all, Cond::All),
        Cond::Any(any) => {
            let inner = any.iter().enumerate().filter(|(_, c)| matches!(c, Cond::All(_) | Cond::Any(_)));
            let named =
                |c: &Cond, what: String| if what.contains(" in ") { what } else { format!("{what} in {}", text(c)) };
            let inner = inner.flat_map(|(at, c)| {
                replaced(any, at, c, Cond::Any).into_iter().map(move |(what, bent)| (named(c, what), bent))
            });
            let fewer = (0..any.len()).filter(|_| any.len() > 1).map(|at| {
                let rest = any.iter().enumerate().filter(|(n, _)| *n != at).map(|(_, c)| c.clone());
                (format!("no way by {}", text(&any[at])), Cond::Any(rest.collect()))
            });
            let whole = (format!("any of {}", text(cond)), Cond::Always);
            inner.chain(fewer).chain([whole]).collect()
        }
        leaf => vec![(text(leaf), Cond::Always)],
    }
}

/// The demands that an item does not meet, by the names of [`left_out`].
pub fn unmet(cond: &Cond, item: Option<&Item>) -> Vec<String> {
    match cond {
        Cond::All(all) => all.iter().flat_map(|c| unmet(c, item)).collect(),
        met if met.holds(item) => vec![],
        Cond::Any(_) => vec![format!("any of {}", text(cond))],
        leaf => vec![text(leaf)],
    }
}

/// Whether it can be met in several ways.
pub fn has_ways(cond: &Cond) -> bool {
    match cond {
        Cond::Any(_) => true,
        Cond::All(all) => all.iter().any(has_ways),
        _ => false,
    }
}

fn within(parts: &[Cond], wrap: fn(Vec<Cond>) -> Cond) -> Vec<(String, Cond)> {
    parts.iter().enumerate().flat_map(|(at, part)| replaced(parts, at, part, wrap)).collect()
}

fn replaced(parts: &[Cond], at: usize, part: &Cond, wrap: fn(Vec<Cond>) -> Cond) -> Vec<(String, Cond)> {
    let put = |(what, bent)| {
        let mut parts = parts.to_vec();
        parts[at] = bent;
        (what, wrap(parts))
    };
    left_out(part).into_iter().map(put).collect()
}

/// A condition in words; ids, times and numbers are left out, states are not.
fn text(cond: &Cond) -> String {
    let join = |all: &[Cond], word: &str| format!("({})", all.iter().map(text).collect::<Vec<_>>().join(word));
    match cond {
        Cond::Always => "always".into(),
        Cond::Absent => "absent".into(),
        Cond::Exists => "exists".into(),
        Cond::Missing(name) => format!("no {name}"),
        Cond::Eq(name, Value::S(word)) if *name == attr::STATE => format!("{name} = {word}"),
        Cond::Eq(name, _) => format!("{name} ="),
        Cond::Ne(name, _) => format!("{name} ≠"),
        Cond::Lt(name, _) => format!("{name} <"),
        Cond::Le(name, _) => format!("{name} ≤"),
        Cond::Gt(name, _) => format!("{name} >"),
        Cond::Ge(name, _) => format!("{name} ≥"),
        Cond::All(all) => join(all, " and "),
        Cond::Any(any) => join(any, " or "),
    }
}

/// Which kind of item a write is about, and the state it goes to.
pub fn kind(write: &Write) -> String {
    let letters = |part: &str| part.split('#').next().unwrap_or_default().to_lowercase();
    let (pk, sk) = (letters(&write.key.pk), letters(&write.key.sk));
    let kind = if sk == "event" || sk == "section" { pk } else { sk };
    let state = match &write.change {
        Change::Update(update) => update.set.iter().find(|(name, _)| *name == attr::STATE),
        Change::Put(_) | Change::Delete | Change::Check => None,
    };
    match state.and_then(|(_, value)| value.as_str()) {
        Some(state) => format!("{kind} → {state}"),
        None => kind,
    }
}

#[test]
fn every_clause_is_left_out_once() {
    let cond = Cond::All(vec![
        Cond::Exists,
        Cond::Any(vec![Cond::Absent, Cond::All(vec![Cond::eq(attr::STATE, "held"), Cond::Lt("u", 5.into())])]),
    ]);
    let names: Vec<String> = left_out(&cond).into_iter().map(|(name, _)| name).collect();
    let held = "(st = held and u <)";
    let any = format!("any of (absent or {held})");
    assert_eq!(
        names,
        [
            "exists",
            &format!("st = held in {held}"),
            &format!("u < in {held}"),
            "no way by absent",
            &format!("no way by {held}"),
            &any
        ]
    );
}
