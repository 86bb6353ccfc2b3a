//! The box office: holds, orders and the pulse against a real table and a provider that misbehaves.

mod after_sale;
mod audit;
mod bench;
mod books;
mod capture;
mod challenge;
mod choosing;
mod crash;
mod desk;
mod gate;
mod holds;
mod limits;
mod orders;
mod overdue;
mod papers;
mod parts;
mod pulse;
