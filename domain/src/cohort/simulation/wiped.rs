//! Storage that is lost, and how a shard and a Pacer begin again.

use super::world::{Fan, Faults, Pacer, SHARDS, Store, World};

impl World {
    /// Does what this mode of faults does to storage.
    pub fn wipe(&mut self) {
        match self.faults {
            Faults::Crashes => self.pacer.forget(),
            Faults::WipedPacer => self.wipe_pacer(),
            Faults::WipedShards => {
                let shard = self.dice.below(SHARDS.into()) as usize;
                self.shards[shard] = Store { skew_ms: self.shards[shard].skew_ms, ..Store::default() };
                let numbered = |f: &Fan| f.place.is_some();
                self.fans
                    .iter_mut()
                    .filter(|f| usize::from(f.shard) == shard && !numbered(f))
                    .for_each(|f| f.early = false);
            }
        }
    }

    /// A Pacer with empty storage asks every shard for its rows, generation and beat before it does anything else.
    fn wipe_pacer(&mut self) {
        let rows = self.shards.iter().map(|s| &s.rows).max_by_key(|rows| rows.len()).cloned();
        let of = |s: &Store| s.state.as_ref().map_or(0, |state| state.generation + 1);
        let beat = self.shards.iter().map(|s| s.beat).max().unwrap_or(0).max(self.pacer.beat) + 10;
        self.shards.iter_mut().for_each(|s| s.beat = beat);
        let generations = self.shards.iter().map(of).collect();
        self.pacer = Pacer { rows: rows.unwrap_or_default(), generations, beat, ..Pacer::default() };
    }
}

impl Pacer {
    /// A crash: only memory is gone.
    pub fn forget(&mut self) {
        (self.cut, self.answers) = (None, vec![]);
    }
}
