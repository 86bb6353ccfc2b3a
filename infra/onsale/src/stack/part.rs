//! The parts of the stack that an experiment may kill and start.

use std::fmt;
use std::str::FromStr;

/// A part of the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The worker in its runtime.
    Edge,
    /// The booking function, all instances.
    Booking,
    /// The function that captures and delivers.
    Settle,
    /// The function that keeps the map.
    Project,
    /// The scheduled function.
    Janitor,
    /// The payment simulator.
    Payments,
    /// The stand-in for a public randomness beacon.
    Beacon,
}

/// No part has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no part is called {0:?}; parts are edge, booking, settle, project, janitor, payments, beacon")]
pub struct UnknownPart(String);

impl Part {
    /// Every part.
    pub const ALL: [Self; 7] =
        [Self::Edge, Self::Booking, Self::Settle, Self::Project, Self::Janitor, Self::Payments, Self::Beacon];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Edge => "edge",
            Self::Booking => "booking",
            Self::Settle => "settle",
            Self::Project => "project",
            Self::Janitor => "janitor",
            Self::Payments => "payments",
            Self::Beacon => "beacon",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Part {
    type Err = UnknownPart;

    fn from_str(name: &str) -> Result<Self, UnknownPart> {
        Self::ALL.into_iter().find(|p| p.name() == name).ok_or_else(|| UnknownPart(name.to_owned()))
    }
}
