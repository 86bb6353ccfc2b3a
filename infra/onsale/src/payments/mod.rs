//! The payment simulator: an HTTP server that speaks Stripe's PaymentIntents, with its own books.
//!
//! It exists so that the local stack and the tests meet a provider that behaves as the real one
//! does when things go wrong: replies that come late or never although the money moved, keys that
//! replay what they first answered, errors included. It deliberately knows nothing of seats, holds
//! or orders: an order's id is a piece of metadata to it, as it is to Stripe.
//!
//! Its books live in one append-only file, so a simulator that is killed and started again knows
//! every intent, every key and every movement of money.

mod book;
mod card;
mod challenge;
mod desk;
mod error;
mod events;
mod faults;
mod http;
mod idempotency;
mod intent;
mod operation;
mod refund;
#[cfg(test)]
mod tests;

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use book::{Money, Movement};
pub use events::Endpoint;

/// A running simulator. Dropping it stops it; so does [`Simulator::stop`], which also waits.
pub struct Simulator {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    server: Option<JoinHandle<()>>,
    desk: Arc<desk::Desk>,
    courier: Option<JoinHandle<()>>,
}

impl Simulator {
    /// Serves on `listener`, with its books in the file at `ledger`, which is created if absent
    /// and continued if present.
    ///
    /// # Errors
    /// The file cannot be opened, or holds a line that is not one of ours (a torn last line, left
    /// by a kill in the middle of a write, is dropped).
    pub fn start(listener: TcpListener, ledger: &Path) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let (stop, stopped) = watch::channel(false);
        let desk = Arc::new(desk::Desk::new(book::Book::open(ledger)?, format!("http://{address}")));
        let server = tokio::spawn(serve(listener, http::router(desk.clone(), stopped.clone()), stopped));
        Ok(Self { address, stop, server: Some(server), desk, courier: None })
    }

    /// Where it answers, for example `http://127.0.0.1:4321`; the value of `PROVIDER_URL`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Tells `endpoint` from now on what happens, and what it has not taken yet of what happened before.
    pub fn tell(&mut self, endpoint: Endpoint) {
        let made = self.desk.tells();
        self.courier = Some(tokio::spawn(events::courier(self.desk.clone(), endpoint, made)));
    }

    /// Every movement of money so far, oldest first.
    pub fn movements(&self) -> Vec<Movement> {
        self.desk.movements()
    }

    /// Stops it. Replies that were being kept back are lost, as when a process is killed.
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        if let Some(courier) = self.courier.take() {
            courier.abort();
        }
        if let Some(server) = self.server.take() {
            let _ = server.await; // a server task that was cancelled has stopped as well
        }
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(courier) = &self.courier {
            courier.abort();
        }
    }
}

async fn serve(listener: TcpListener, router: axum::Router, mut stopped: watch::Receiver<bool>) {
    let until = async move {
        let _ = stopped.wait_for(|stop| *stop).await; // a dropped sender means stop too
    };
    if let Err(error) = axum::serve(listener, router).with_graceful_shutdown(until).await {
        tracing::error!(%error, "the payment simulator stopped serving");
    }
}
