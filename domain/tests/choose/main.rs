//! Choosing seats: against exhaustive search in small halls, and in the demo's stadium.

mod exhaustive;
mod hall;
mod rule;
mod stadium;
