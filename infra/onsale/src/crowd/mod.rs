//! A paced crowd for the demo: scripted fans who arrive over a while, so that the line moves and seats darken.
//! It signs in at the development sign-in and knows only the public API.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::task::JoinSet;

use crate::fan::{Api, Fan, Habits};

/// A fan of the crowd goes home after this long.
const PATIENCE: Duration = Duration::from_secs(3_600);

/// How a crowd behaves.
#[derive(Debug, Clone)]
pub struct CrowdPlan {
    /// How many fans come in all.
    pub fans: u32,
    /// Over what time they arrive, evenly at random.
    pub arrive_over: Duration,
    /// Decides every choice of every fan.
    pub seed: u64,
}

/// Lets the crowd come; ends when the last fan has bought, left, or given up.
pub async fn run(api: Api, plan: CrowdPlan) {
    let mut rng = StdRng::seed_from_u64(plan.seed);
    let mut fans = JoinSet::new();
    for number in 0..plan.fans {
        let arrives = plan.arrive_over.mul_f64(rng.random::<f64>());
        fans.spawn(one_fan(api.clone(), number, plan.seed, arrives));
    }
    fans.join_all().await;
}

/// The habits of the demo's crowd: unhurried, so that a person can watch the seats go.
fn habits() -> Habits {
    Habits { buys_percent: 80, declined_percent: 5, most_seats: 4, thinking: Duration::from_secs(15) }
}

async fn one_fan(api: Api, number: u32, seed: u64, arrives: Duration) {
    tokio::time::sleep(arrives).await;
    let Ok(account) = api.dev_sign_in(&format!("crowd-{number}")).await else { return };
    Fan::new(api, account, habits(), seed ^ u64::from(number)).run_for(PATIENCE).await;
}
