//! Presale codes. The shard that a code's hash names counts its uses; the shard of an account's entry knows by which code it
//! came in. `domain::code` tells how the two agree, whatever is lost between them.
//!
//! Of a code only its hash is kept. A claim is checked and counted in one turn.

use domain::code::{self, Facts as ClaimFacts, GRANT_MS, Refused, Terms};
use domain::ids::AccountId;
use domain::time::WallMs;
use serde::Deserialize;

use super::Inner;
use crate::problem::{Code, Problem};
use crate::sql::{Db, int};
use crate::wire::{ClaimAnswer, ClaimAsk, Grant, KeptCode, Use};

/// The tables: codes and their uses where they are counted, and how accounts came in where their entries are.
pub const TABLES: [&str; 3] = [
    "CREATE TABLE IF NOT EXISTS code (code TEXT PRIMARY KEY, terms TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS code_use (code TEXT NOT NULL, account TEXT NOT NULL, until INTEGER NOT NULL, \
     entered INTEGER NOT NULL, PRIMARY KEY (code, account)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS came_by (account TEXT PRIMARY KEY, code TEXT NOT NULL) WITHOUT ROWID",
];

/// How many uses without an entry are looked into at once.
const OPEN_AT_ONCE: i64 = 8;

#[derive(Deserialize)]
struct TermsRow {
    terms: String,
}

#[derive(Deserialize)]
struct Count {
    n: u32,
    mine: u32,
}

#[derive(Deserialize)]
struct UseRow {
    account: AccountId,
    until: i64,
    entered: i64,
}

/// Takes codes in; one that is known gets its new terms and keeps its uses.
pub fn import(db: &Db, codes: &[KeptCode]) -> Result<u64, Problem> {
    for kept in codes {
        let args = vec![name(&kept.code).into(), serde_json::to_string(&kept.terms)?.into()];
        db.run("INSERT OR REPLACE INTO code (code, terms) VALUES (?, ?)", args)?;
    }
    Ok(codes.len() as u64) // far below 2^53
}

/// Whether the account has a use of the code; counted from here on. Nothing waits between the check and the count.
pub fn claim(db: &Db, ask: &ClaimAsk, now: WallMs) -> Result<ClaimAnswer, Problem> {
    let terms = terms(db, &ask.code)?;
    let Count { n: used, mine } = count(db, ask)?;
    let facts = ClaimFacts { terms: terms.as_ref(), lane: ask.lane, used, mine: mine > 0, now };
    let lane = terms.map_or(0, |terms| terms.lane);
    match code::claim(&facts) {
        Ok(()) => {
            let until = now.plus(GRANT_MS);
            // An account that is entered stays entered.
            let insert = "INSERT INTO code_use (code, account, until, entered) VALUES (?, ?, ?, 0) \
                          ON CONFLICT (code, account) DO UPDATE SET until = excluded.until";
            db.run(insert, vec![name(&ask.code).into(), ask.account.to_string().into(), int(until.0)])?;
            Ok(ClaimAnswer::Granted { lane, until })
        }
        Err(why) => {
            let open = if why == Refused::UsedUp { open(db, &ask.code, now)? } else { Vec::new() };
            Ok(ClaimAnswer::Refused { why, lane, open })
        }
    }
}

/// Takes in what was found out about uses: entered ones stay for good, the others are freed if they are still the same.
pub fn found(db: &Db, uses: &[Use]) -> Result<(), Problem> {
    for one in uses {
        let (code, account) = (name(&one.code), one.account.to_string());
        if one.entered {
            let insert = "INSERT INTO code_use (code, account, until, entered) VALUES (?, ?, ?, 1) \
                          ON CONFLICT (code, account) DO UPDATE SET entered = 1";
            db.run(insert, vec![code.into(), account.into(), int(one.until.0)])?;
        } else {
            let delete = "DELETE FROM code_use WHERE code = ? AND account = ? AND until = ? AND entered = 0";
            db.run(delete, vec![code.into(), account.into(), int(one.until.0)])?;
        }
    }
    Ok(())
}

/// Of an account's shard: whether the entry came by that use.
pub fn look(inner: &Inner, mut asked: Use) -> Result<Use, Problem> {
    let query = "SELECT count(*) AS n, 0 AS mine FROM came_by WHERE account = ? AND code = ?";
    let args = vec![asked.account.to_string().into(), name(&asked.code).into()];
    let noted: Option<Count> = inner.store.db.first(query, args)?;
    asked.entered = noted.is_some_and(|count| count.n > 0) && inner.store.entry_of(&asked.account)?.is_some();
    Ok(asked)
}

/// Of an account's shard: notes by which code an entry comes in, right before it is written; refuses a grant that is over.
pub fn note(db: &Db, account: &AccountId, grant: &Grant, now: WallMs) -> Result<(), Problem> {
    if !code::may_enter(grant.until, now) {
        return Err(Code::LineUnavailable.into());
    }
    let insert = "INSERT OR REPLACE INTO came_by (account, code) VALUES (?, ?)";
    Ok(db.run(insert, vec![account.to_string().into(), name(&grant.code).into()])?)
}

/// Of an account's shard: all uses that entries came by, for a shard that lost its counts.
pub fn uses(db: &Db) -> Result<Vec<Use>, Problem> {
    #[derive(Deserialize)]
    struct Row {
        account: AccountId,
        code: String,
    }
    let query = "SELECT DISTINCT c.account, c.code FROM came_by c JOIN entry e ON e.account = c.account";
    let rows: Vec<Row> = db.rows(query, vec![])?;
    let used = |row: Row| {
        let code = domain::bytes32::from_hex(&row.code)?;
        Some(Use { code, account: row.account, until: WallMs(0), entered: true })
    };
    Ok(rows.into_iter().filter_map(used).collect())
}

fn terms(db: &Db, code: &[u8; 32]) -> Result<Option<Terms>, Problem> {
    let row: Option<TermsRow> = db.first("SELECT terms FROM code WHERE code = ?", vec![name(code).into()])?;
    Ok(row.map(|row| serde_json::from_str(&row.terms)).transpose()?)
}

fn count(db: &Db, ask: &ClaimAsk) -> Result<Count, Problem> {
    let query = "SELECT count(*) AS n, count(*) FILTER (WHERE account = ?) AS mine FROM code_use WHERE code = ?";
    let counted = db.first(query, vec![ask.account.to_string().into(), name(&ask.code).into()])?;
    Ok(counted.unwrap_or(Count { n: 0, mine: 0 }))
}

fn open(db: &Db, code: &[u8; 32], now: WallMs) -> Result<Vec<Use>, Problem> {
    let query = "SELECT account, until, entered FROM code_use WHERE code = ? AND entered = 0 ORDER BY until LIMIT ?";
    let rows: Vec<UseRow> = db.rows(query, vec![name(code).into(), int(OPEN_AT_ONCE)])?;
    let one =
        |row: UseRow| Use { code: *code, account: row.account, until: WallMs(row.until), entered: row.entered > 0 };
    Ok(rows.into_iter().map(one).filter(|one| code::may_free(one.until, now)).collect())
}

fn name(code: &[u8; 32]) -> String {
    domain::bytes32::to_hex(code)
}
