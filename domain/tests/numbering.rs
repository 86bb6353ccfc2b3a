//! A whole line is numbered, at a twentieth of the size that `examples/million` measures.

#[path = "../examples/million/run.rs"]
mod run;

use run::{Size, number};

#[test]
fn every_account_of_a_whole_line_gets_one_place() {
    let numbered = number(&Size { accounts: 50_000, shards: 64, cohorts: 60 });
    assert_eq!(numbered.rows.len(), 60);
    assert_eq!(numbered.rows.last().map(domain::cohort::Row::given), Some(50_000));
    assert!(numbered.compared >= 50);
}
