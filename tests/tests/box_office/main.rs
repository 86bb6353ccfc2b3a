//! The box office: holds, orders and the pulse against a real table and a provider that misbehaves.

mod after_sale;
mod audit;
mod bench;
mod books;
mod capture;
mod challenge;
mod challenge_kills;
mod choosing;
mod crash;
mod desk;
mod event_kills;
mod events;
mod expiry;
mod gate;
mod give_back_kills;
mod holds;
mod limits;
mod mail;
mod nightly;
mod orders;
mod overdue;
mod papers;
mod parts;
mod pulse;
mod second_thoughts;
