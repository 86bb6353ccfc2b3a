//! What can be wrong with the published draws of an on-sale: the names that docs/formats.md lists.

use serde::Serialize;

/// What is wrong, by a stable name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Fault {
    /// A file of another event or cohort, or with another commitment.
    #[error("it belongs to another event, cohort or commitment")]
    Foreign,
    /// The cuts do not add up to `n`.
    #[error("its cuts do not add up to its number of people")]
    Cuts,
    /// The cuts do not continue those of the file before.
    #[error("its cuts do not continue those of the cohort before")]
    Chain,
    /// `base` is not the number of people before.
    #[error("it does not begin where the cohort before ends")]
    Base,
    /// Public randomness is there, or missing, or another one, against what the event and cohort 0 say.
    #[error("its public randomness is not the one of this on-sale")]
    Beacon,
    /// The round is not the first one after the people were fixed.
    #[error("its round is not the one that follows from the time of the seal")]
    Round,
    /// The round is not signed by the beacon's key.
    #[error("its round is not signed by the beacon")]
    Signature,
    /// The published secret is not the one committed to.
    #[error("the published secret does not match the commitment")]
    Secret,
    /// The seed does not follow from the published parts.
    #[error("its seed does not follow from the published parts")]
    Seed,
    /// The status file is not signed by the event's key, or not of this event.
    #[error("the status file is not this event's")]
    Status,
    /// The status names another draw file of cohort 0.
    #[error("the status file names another draw file")]
    Named,
    /// Places given, or admitted, are not those of the draw files.
    #[error("places given or admitted are not those that were drawn")]
    Given,
    /// The entry is not in the cohort's log.
    #[error("the entry is not proved to be in the draw")]
    Proof,
    /// The place that was told is not the one that follows.
    #[error("the place told is not the one that was drawn")]
    Place,
}

/// A fault and the cohort it was found in, if it belongs to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{}{fault}", .k.map(|k| format!("cohort {k}: ")).unwrap_or_default())]
pub struct Refused {
    /// The cohort.
    pub k: Option<u32>,
    /// What is wrong.
    pub fault: Fault,
}
