//! The course of the line in the Pacer's storage, for the report afterwards. What is kept, and how few, is `domain::report`'s.
//!
//! If the storage is lost the marks are gone; the newest one comes back with the course, so counts go on, and the report says
//! from when on it knows.

use domain::pace::Claims;
use domain::report::{Keep, MOST_MARKS, Mark, Now, keep, thin};
use domain::time::WallMs;
use serde::Deserialize;
use worker::Result;

use super::course::Course;
use super::store::Store;
use crate::sql::int;

/// The table of marks.
pub(super) const SCHEMA: [&str; 1] =
    ["CREATE TABLE IF NOT EXISTS course_mark (at INTEGER PRIMARY KEY, body TEXT NOT NULL)"];
/// Marks in one answer.
const MARKS_AT_ONCE: i64 = 400;
/// The distance of marks at first, in milliseconds.
const APART_MS: i64 = 1_000;

#[derive(Deserialize)]
struct Body {
    body: String,
}

/// The mark after a beat that led to this course.
pub(super) fn mark(
    course: &Course,
    claims: &Claims,
    joined: u64,
    failed: bool,
    (now, opens): (WallMs, WallMs),
) -> Mark {
    let (pace, stock) = (&course.pace, &course.stock);
    let mark = Mark {
        at: now,
        phase: course.phase(),
        admitted: pace.admitted,
        lanes: pace.lanes.map(|lane| lane.admitted),
        late: pace.late_admitted,
        joined,
        inside: course.inside,
        claimed: claims.opened.saturating_add(claims.late_opened),
        rate: course.rate,
        stock: [stock.free, stock.held, stock.claimed, stock.sold],
        failed: 0,
        stood_ms: 0,
    };
    Mark::after(course.mark.as_ref(), &Now { mark, failed, opens })
}

impl Store {
    /// Keeps a mark, if it tells anything new; at twice the distance from now on if there are too many.
    pub fn keep_mark(&self, mark: &Mark) -> Result<()> {
        let newest = self.newest_mark()?;
        let apart_ms = self.db.get("marks-apart")?.unwrap_or(APART_MS);
        match (keep(newest.as_ref(), mark, apart_ms), newest) {
            (Keep::Nothing, _) => return Ok(()),
            (Keep::Replace, Some(newest)) => {
                self.db.run("DELETE FROM course_mark WHERE at = ?", vec![int(newest.at.0)])?;
            }
            _ => {}
        }
        self.insert_mark(mark)?;
        self.thin_marks(apart_ms)
    }

    /// Some marks after a time, a line each.
    pub fn marks_after(&self, after: i64) -> Result<String> {
        let query = "SELECT body FROM course_mark WHERE at > ? ORDER BY at LIMIT ?";
        let marks: Vec<Body> = self.db.rows(query, vec![int(after), int(MARKS_AT_ONCE)])?;
        Ok(marks.into_iter().map(|mark| mark.body + "\n").collect())
    }

    fn newest_mark(&self) -> Result<Option<Mark>> {
        let newest: Option<Body> = self.db.first("SELECT body FROM course_mark ORDER BY at DESC LIMIT 1", vec![])?;
        Ok(newest.map(|mark| serde_json::from_str(&mark.body)).transpose()?)
    }

    fn insert_mark(&self, mark: &Mark) -> Result<()> {
        let insert = "INSERT OR REPLACE INTO course_mark (at, body) VALUES (?, ?)";
        self.db.run(insert, vec![int(mark.at.0), serde_json::to_string(mark)?.into()])
    }

    fn thin_marks(&self, apart_ms: i64) -> Result<()> {
        #[derive(Deserialize)]
        struct Count {
            n: usize,
        }
        let count: Option<Count> = self.db.first("SELECT count(*) AS n FROM course_mark", vec![])?;
        if count.is_none_or(|count| count.n <= MOST_MARKS) {
            return Ok(());
        }
        let all: Vec<Body> = self.db.rows("SELECT body FROM course_mark ORDER BY at", vec![])?;
        let all = all.iter().map(|mark| serde_json::from_str(&mark.body)).collect::<serde_json::Result<Vec<Mark>>>()?;
        let apart_ms = apart_ms.saturating_mul(2);
        self.db.put("marks-apart", &apart_ms)?;
        self.db.run("DELETE FROM course_mark", vec![])?;
        thin(&all, apart_ms).iter().try_for_each(|mark| self.insert_mark(mark))
    }
}
