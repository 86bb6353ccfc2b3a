//! What the isolates counted, added up. A shard that lost its storage begins anew; its Pacer has what it told before.

use domain::report::Tally;

use crate::problem::Problem;
use crate::sql::Db;

/// Adds counts.
pub fn add(db: &Db, more: &Tally) -> Result<(), Problem> {
    let mut all = all(db)?;
    all.add(more);
    Ok(db.put("tally", &all)?)
}

/// All counts so far.
pub fn all(db: &Db) -> Result<Tally, Problem> {
    Ok(db.get("tally")?.unwrap_or_default())
}
