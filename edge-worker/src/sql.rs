//! A Durable Object's SQLite, with the traps of the binding kept out of the way.
//!
//! Every call is synchronous. Statements of one turn of the event loop commit together, so code that must
//! not be torn apart by a crash does not `await` in between. Integers stay below 2^53.

use serde::Serialize;
use serde::de::DeserializeOwned;
use worker::{Result, SqlStorage, SqlStorageValue, State};

/// A value for a placeholder.
pub type Arg = SqlStorageValue;

/// The storage of one Durable Object.
pub struct Db(SqlStorage);

#[derive(serde::Deserialize)]
struct Text {
    value: String,
}

impl Db {
    /// Opens the storage and makes the tables that are missing.
    pub fn open(state: &State, schema: &[&str]) -> Result<Self> {
        let db = Self(state.storage().sql());
        db.run("CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID", vec![])?;
        schema.iter().try_for_each(|table| db.run(table, vec![]))?;
        Ok(db)
    }

    /// Runs a statement for its effect.
    pub fn run(&self, statement: &str, args: Vec<Arg>) -> Result<()> {
        self.0.exec(statement, args).map(|_| ())
    }

    /// Adds a column to a table that was made before there was one.
    pub fn add_column(&self, table: &str, column: &str, kind: &str) -> Result<()> {
        let query = format!("SELECT name AS value FROM pragma_table_info('{table}') WHERE name = '{column}'");
        match self.first::<Text>(&query, vec![])? {
            Some(_) => Ok(()),
            None => self.run(&format!("ALTER TABLE {table} ADD COLUMN {column} {kind}"), vec![]),
        }
    }

    /// All rows of a query; columns are matched by name.
    pub fn rows<T: DeserializeOwned>(&self, query: &str, args: Vec<Arg>) -> Result<Vec<T>> {
        // Not `one()`: without exactly one row it hangs the request for ever.
        self.0.exec(query, args)?.to_array()
    }

    /// The first row, if any.
    pub fn first<T: DeserializeOwned>(&self, query: &str, args: Vec<Arg>) -> Result<Option<T>> {
        Ok(self.rows(query, args)?.into_iter().next())
    }

    /// A named fact.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        let text = self.text(name)?;
        text.map(|text| serde_json::from_str(&text).map_err(worker::Error::from)).transpose()
    }

    /// A named fact's JSON, unread.
    pub fn text(&self, name: &str) -> Result<Option<String>> {
        let row: Option<Text> = self.first("SELECT value FROM meta WHERE name = ?", vec![name.into()])?;
        Ok(row.map(|row| row.value))
    }

    /// Writes a named fact.
    pub fn put(&self, name: &str, value: &impl Serialize) -> Result<()> {
        let value = serde_json::to_string(value)?;
        self.run("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", vec![name.into(), value.into()])
    }
}

/// An unsigned number as an argument; numbers here stay far below 2^53.
pub fn int(value: impl TryInto<i64>) -> Arg {
    value.try_into().map_or(Arg::Null, Arg::Integer)
}
