//! One beat.
use super::Pacer;
use crate::clock;
use crate::config::Config;
use crate::fault::Fault;
use crate::problem::Problem;
use domain::time::WallMs;
use super::pulse::{self, Pulse};

impl Pacer {
    pub(super) fn beat_ms(&self, _now: WallMs) -> Result<i64, Problem> { Ok(1000) }
    pub(super) async fn beat(&self) -> Result<(), Problem> {
        let store = self.store()?;
        let Some(event) = store.event()? else { return Ok(()) };
        let config = Config::of(&self.env)?;
        let beat = store.beat()? + 1;
        store.put_beat(beat)?;
        self.fault_point(Fault::Alarm);
        let now = clock::now();
        let _s = pulse::send(&config, &event, &Pulse { beat, paused: false, beat_ms: 1000, map: 0 }, now).await;
        let c = self.close(&config, &event, beat, now).await?;
        let status = crate::wire::Copy { text: format!("{{\"beat\":{beat},\"phase\":\"open\",\"clock\":[0,0,0],\"admitted\":100}}"), fresh: now.plus(3000) };
        self.fan_out(&event, &super::fan_out::News { beat, beat_ms: 1000, closed: false, status, row: c.row }).await
    }
}
