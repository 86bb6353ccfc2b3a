//! Messages go to public addresses only, whatever a name leads to, and when.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context as _, Result};
use capture_lambda::herald::{Lookup, Policy, Wire};
use checkout::wall_now;
use domain::items::OutState;
use domain::outbox::{Ended, SigningKeys, is_public};
use tests::Receiver;
use tokio::net::TcpListener;

use crate::webhooks::Desk;

const HOME: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
/// Stands for a public address: it is another host to the system, and can be listened at.
const ABROAD: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

/// Any shape of address goes; names lead only abroad.
const ABROAD_ONLY: Policy = Policy { target: |_| Ok(()), address: |address| address == ABROAD };

/// A name that leads to each of these in turn, and to the last from then on; and how often it was looked up.
fn leads_to(answers: &[IpAddr]) -> (Lookup, Arc<AtomicUsize>) {
    let (answers, asked) = (answers.to_vec(), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&asked);
    let lookup: Lookup = Arc::new(move |_| {
        let n = counted.fetch_add(1, Ordering::SeqCst).min(answers.len() - 1);
        let answer = answers[n];
        Box::pin(async move { Ok(vec![answer]) })
    });
    (lookup, asked)
}

/// Two servers on one port: abroad, and at home.
async fn two() -> Result<(Receiver, Receiver, String)> {
    let abroad = TcpListener::bind((ABROAD, 0)).await?;
    let port = abroad.local_addr()?.port();
    let home = Receiver::on(TcpListener::bind((HOME, port)).await?)?;
    Ok((Receiver::on(abroad)?, home, format!("http://hooks.example:{port}/hooks")))
}

async fn sent(desk: &Desk, wire: &Wire, url: &str) -> Result<Ended> {
    let keys = SigningKeys::of(&desk.bench.app.keys, &desk.bench.event);
    let message = desk.messages().await?.into_iter().next().context("a message")?;
    Ok(wire.send(url, &message, &keys, wall_now()).await)
}

async fn noted() -> Result<Desk> {
    let desk = Desk::start().await?;
    desk.noted().await?;
    Ok(desk)
}

#[tokio::test]
async fn a_public_deployment_sends_nothing_home() -> Result<()> {
    let desk = noted().await?;
    let herald = desk.herald_by(Wire::new(Policy::PUBLIC, leads_to(&[HOME]).0)?);
    assert!(herald.tell(&desk.bench.event, &desk.order).await?.failed);
    let message = desk.messages().await?.remove(0);
    assert_eq!((message.state, message.last.as_deref()), (OutState::Parked, Some("not_https")));
    let wire = Wire::new(Policy::PUBLIC, leads_to(&[HOME]).0)?;
    let refused = |why: &str| Ended::Hopeless(why.to_owned());
    for url in ["https://127.0.0.1/", "https://169.254.169.254/", "https://[::ffff:10.0.0.1]/", "https://2130706433/"] {
        assert_eq!(sent(&desk, &wire, url).await?, refused("private_address"), "{url}");
    }
    assert_eq!(sent(&desk, &wire, "https://hooks.example/").await?, refused("private_address"), "by its name");
    assert!(desk.receiver.calls().is_empty());
    Ok(())
}

#[tokio::test]
async fn a_name_that_leads_home_is_not_followed() -> Result<()> {
    let (desk, (abroad, home, url)) = (noted().await?, two().await?);
    let names_judged = Policy { target: |_| Ok(()), address: is_public };
    let wire = Wire::new(names_judged, leads_to(&[HOME]).0)?;
    assert_eq!(sent(&desk, &wire, &url).await?, Ended::Hopeless("private_address".into()));
    assert!(home.calls().is_empty() && abroad.calls().is_empty());
    // The twin: where addresses are not judged, it is.
    let unjudged = Policy { target: |_| Ok(()), address: |_| true };
    assert_eq!(sent(&desk, &Wire::new(unjudged, leads_to(&[HOME]).0)?, &url).await?, Ended::Acknowledged(200));
    assert_eq!(home.calls().len(), 1);
    Ok(())
}

#[tokio::test]
async fn a_name_is_looked_up_once_and_that_address_is_called() -> Result<()> {
    let (desk, (abroad, home, url)) = (noted().await?, two().await?);
    // Abroad when it is judged, at home a moment later.
    let (lookup, asked) = leads_to(&[ABROAD, HOME]);
    let wire = Wire::new(ABROAD_ONLY, Arc::clone(&lookup))?;
    assert_eq!(sent(&desk, &wire, &url).await?, Ended::Acknowledged(200));
    assert_eq!((abroad.calls().len(), home.calls().len(), asked.load(Ordering::SeqCst)), (1, 0, 1));
    assert_eq!(sent(&desk, &Wire::new(ABROAD_ONLY, lookup)?, &url).await?, Ended::Hopeless("private_address".into()));
    assert!(home.calls().is_empty());
    // The twin: judged first, and looked up again for the call.
    let (lookup, _) = leads_to(&[ABROAD, HOME]);
    let judged = lookup("hooks.example".into()).await?;
    assert!(judged.iter().all(|address| (ABROAD_ONLY.address)(*address)));
    let unpinned = Policy { target: |_| Ok(()), address: |_| true };
    sent(&desk, &Wire::new(unpinned, lookup)?, &url).await?;
    assert_eq!(home.calls().len(), 1, "the check was for nothing");
    Ok(())
}

#[tokio::test]
async fn redirects_are_not_followed() -> Result<()> {
    let (desk, (abroad, home, url)) = (noted().await?, two().await?);
    abroad.answers(&[307]);
    abroad.redirects_to(home.url());
    let wire = Wire::new(ABROAD_ONLY, leads_to(&[ABROAD]).0)?;
    assert_eq!(sent(&desk, &wire, &url).await?, Ended::Failed("307".into()));
    assert_eq!((abroad.calls().len(), home.calls().len()), (1, 0));
    Ok(())
}
