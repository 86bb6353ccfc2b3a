//! Importing an event: a plan in pretix's format and an `event.toml` become a layout and a definition, or a list of
//! everything that is wrong with them.
//!
//! Takes texts; reads no files. Nothing may be written when there is any [`Finding`].
//!
//! ```toml
//! id = "stadium-night"                 # a-z, 0-9 and -; at most 40
//! name = "Stadium night"
//! venue = "Stadium"
//! zone = "Europe/Berlin"               # IANA time zone
//! opens_at = "2027-03-01T10:00"        # local time there; or with an offset: "2027-03-01T09:00:00Z"
//! ends_at = "2027-06-12T23:00"
//! currency = "EUR"                     # ISO 4217
//! plan = "stadium.json"                # read by the caller
//! rehearsal = false
//! home_region = "eu-central-1"         # optional
//! accessible = ["W01-1-1"]             # seat ids
//! companion = ["W01-1-2"]
//!
//! [limits]
//! per_account = 6
//! per_card = 12                        # default: twice per_account
//!
//! [door]                               # all optional
//! shards = 4
//! rate_per_minute = 600                # default: derived from seats, conversion and hold time
//! tickets_per_order = 2.5
//! claim_window_s = 300
//! session_s = 900
//! grace_ms = 3000
//! beat_ms = 1000
//! idle_beat_ms = 30000
//! forget_after_days = 30
//!
//! [door.checks]                        # all optional, see docs/formats.md
//! challenge = "none"
//!
//! [webhook]                            # optional
//! url = "https://hooks.example.org/"
//!
//! [[levels]]
//! id = "front"
//! category = "Front"                   # of the plan; absent for levels that only pools have
//! name = "Front"                       # default: the category
//! price = "95.00"
//! fee = "9.50"                         # default: none
//! fee_percent = "2.5"                  # of the price, beside the fee; default: none
//! color = "#c2410c"                    # default: the category's
//!
//! [[levels.types]]                     # optional, instead of the level's price; the first is the usual one
//! id = "adult"
//! name = "Adult"
//! price = "95.00"                      # fee, fee_percent: default the level's
//!
//! [[pools]]
//! id = "floor"
//! name = "Standing"
//! level = "standing"
//! capacity = 2000
//! shares = 8                           # default 1
//! x = 250.0                            # where it is drawn
//! y = 200.0
//! w = 60.0
//! h = 40.0
//! ```

mod build;
mod checks;
mod definition;
mod event;
mod finding;
mod lanes;
mod levels;
mod places;
mod plan;
mod reader;
mod show;
mod times;
mod webhook;

pub use definition::{Door, EventDefinition, Limits, PoolDef, PriceLevel, SectionBlocks};
pub use finding::{Code, Finding};
pub(crate) use places::spread;
pub use places::{seats_of, shares_of};
pub use show::Show;
pub use webhook::Webhook;

use crate::layout::Layout;

/// What an import writes.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The event's definition.
    pub definition: EventDefinition,
    /// The venue's layout, sealed.
    pub layout: Layout,
}

/// Reads an event and its plan.
///
/// # Errors
/// Every finding, the event's first, each with a stable code.
pub fn import(event_toml: &str, plan_json: &str) -> Result<Imported, Vec<Finding>> {
    let mut findings = Vec::new();
    let event = event::read(event_toml, &mut findings);
    let plan = plan::read(plan_json, &mut findings);
    let imported = match (event, plan) {
        (Some(event), Some(plan)) => Some(build::build(event, &plan, &mut findings)),
        (None, Some(plan)) => {
            build::check_alone(&plan, &mut findings);
            None
        }
        (_, None) => None,
    };
    imported.filter(|_| findings.is_empty()).ok_or(findings)
}

/// The plan file that an `event.toml` names, if it can be read that far.
#[must_use]
pub fn plan_file(event_toml: &str) -> Option<String> {
    let table: toml::Table = event_toml.parse().ok()?;
    table.get("plan")?.as_str().map(str::to_owned)
}
