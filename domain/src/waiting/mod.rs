//! The waiting list: seats that come back after an event was sold out go to those who wait, in the order of the line.
//!
//! An offer is an ordinary [`crate::hold`], made for whoever is next, with a time of its own. So everything that holds promise is
//! true of offers: no seat is in two of them, nobody else takes it meanwhile, it is paid as any hold is, and when its time is over
//! the sweep frees its seats for the next. What is new is who gets one: [`Offer`] makes the hold and takes the fan off the list in
//! one transaction, or does neither.
//!
//! The list is for those whose turn has come before: only they have an access token. Whoever still stands in the line is further
//! back than all of them, and is admitted as before when seats are left over.

mod list;
mod offer;
#[cfg(test)]
mod simulation;

pub use list::{Join, Leave, StandsOffered};
pub use offer::{OFFER_MS, Offer, OfferRefusal};
