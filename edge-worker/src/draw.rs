//! The draw file of a closed cohort, with this deployment's keys.

use domain::cohort::Row;
use domain::draw::{DrawFile, commitment};
use domain::ids::EventId;
use domain::keys::KeyKind;

use crate::config::Config;

/// The file's bytes: what anybody needs to recompute the cohort's numbers.
pub fn bytes(config: &Config, event: &EventId, row: &Row) -> Vec<u8> {
    DrawFile::new(event, row, event_commitment(config, event)).to_bytes()
}

/// What the organiser committed to before the first join.
pub fn event_commitment(config: &Config, event: &EventId) -> [u8; 32] {
    commitment(&secret(config, event))
}

/// The draw secret: published once the on-sale is closed, and never before.
pub fn secret(config: &Config, event: &EventId) -> [u8; 32] {
    config.keys.signing_key(KeyKind::DrawSecret, event)
}
