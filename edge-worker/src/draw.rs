//! The draw file of a closed cohort, with the keys that the event began with.

use domain::cohort::Row;
use domain::draw::{DrawFile, commitment};
use domain::keys::KeyKind;

use crate::config::Config;
use crate::event::Edition;
use crate::problem::Problem;

/// The file's bytes: what anybody needs to recompute the cohort's numbers.
pub fn bytes(config: &Config, event: &Edition, row: &Row) -> Result<Vec<u8>, Problem> {
    Ok(DrawFile::new(&event.id, row, event_commitment(config, event)?).to_bytes())
}

/// What the organiser committed to before the first join.
pub fn event_commitment(config: &Config, event: &Edition) -> Result<[u8; 32], Problem> {
    Ok(commitment(&secret(config, event)?))
}

/// The draw secret: published once the on-sale is closed, and never before.
pub fn secret(config: &Config, event: &Edition) -> Result<[u8; 32], Problem> {
    event.lasting_key(&config.keys, KeyKind::DrawSecret)
}
