//! What each route does, thinly: check, ask the object that knows, answer.

pub mod account;
pub mod admission;
pub mod booking;
pub mod draw;
pub mod event;
pub mod lanes;
pub mod layout;
pub mod line;
pub mod operator;
pub mod pages;
pub mod papers;
pub mod proof;
pub mod provider;
pub mod registration;
pub mod rights;
pub mod scriptless;
pub mod search;
pub mod seatmap;
pub mod session;
pub mod sign_in;
pub mod status;
