//! The code of the seat map: its size for a stadium on sale, its speed, and vectors for the decoder of browsers.

mod bytes;
mod documents;
mod golden;
mod sales;
mod stadium;
