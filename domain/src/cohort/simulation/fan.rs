//! Fans: each has a token once it has heard an answer, and believes the first number it is told for ever.

use super::world::{SHARDS, Without, World};
use crate::cohort::*;
use crate::ids::AccountId;
use crate::time::WallMs;
use crate::token::{Entrance, PlaceToken};

pub struct Fan {
    account: AccountId,
    pub shard: u16,
    pub token: Option<PlaceToken>,
    /// The place it was told.
    pub place: Option<u64>,
    /// Came before the opening (by the shard's word), and the shard has kept its storage until there was a number.
    pub early: bool,
    /// Had an entry that was lost before it had a token: a number of it would be nobody's.
    pub orphaned: bool,
    entered: bool,
}

impl Fan {
    /// Its shard lost its storage.
    pub fn lost(&mut self) {
        self.early &= self.place.is_some();
        self.orphaned |= self.entered && self.token.is_none();
    }
}

impl World {
    pub fn join(&mut self, stamp_ms: i64, heard: bool) {
        let number = self.fans.len();
        let account = AccountId::derive("sim", &number.to_string());
        let shard = shard_of(&account, SHARDS);
        let fan = Fan { account, shard, token: None, place: None, early: false, orphaned: false, entered: false };
        self.fans.push(fan);
        self.arrive(number, stamp_ms, heard);
    }

    fn shard_now(&self, shard: u16) -> WallMs {
        self.now.plus(self.shards[usize::from(shard)].skew_ms)
    }

    /// Joins, or comes again without a token: the shard knows the account, or gives it an entry.
    fn arrive(&mut self, number: usize, stamp_ms: i64, heard: bool) {
        let shard = self.fans[number].shard;
        if !self.ready(shard) {
            return;
        }
        let known = self.store(shard).accounts.get(&number).copied();
        let at = self.shard_now(shard).plus(-stamp_ms);
        let Some(entry) = known.or_else(|| self.enter(shard, number, at)) else { return };
        self.fans[number].entered = true;
        self.fans[number].early |= known.is_none() && is_early(entry.epoch);
        if heard {
            self.tell(number, entry);
        }
    }

    /// Asks for the number, with the token if there is one.
    pub fn show(&mut self, number: usize) {
        let Some(token) = self.fans[number].token else { return self.arrive(number, 0, true) };
        let shard = token.shard;
        if !self.ready(shard) {
            return;
        }
        let without = self.without;
        let store = self.store(shard);
        let found = match store.found(number, shard, token.epoch, token.index) {
            Found::Seal if without == Without::SealTold => Found::Nowhere,
            Found::Seal if without == Without::SealForgotten => Found::Log,
            found => found,
        };
        let entry = match shown(&token, store.accounts.get(&number), found, &store.rows) {
            Shown::Sealed(entry) => return self.tell(number, entry),
            Shown::Known(entry) | Shown::Restore(entry) => Some(entry),
            Shown::Reenter(time) => self.enter(shard, number, time),
        };
        let Some(entry) = entry else { return };
        self.store(shard).accounts.insert(number, entry);
        self.tell(number, entry);
    }

    /// The answer reaches the fan: a token, with the number if the shard has its row.
    fn tell(&mut self, number: usize, entry: Entry) {
        let shard = self.fans[number].shard;
        let store = &self.shards[usize::from(shard)];
        self.admitted = self.admitted.max(store.admitted);
        let row = covering(store.rows.iter(), shard, entry.epoch, entry.index).cloned();
        let place = row.as_ref().and_then(|row| self.place(row, shard, &entry));
        let fan = &mut self.fans[number];
        let before = fan.place;
        fan.place = place.or(before);
        let account = fan.account;
        fan.token = Some(PlaceToken {
            account,
            shard,
            epoch: entry.epoch,
            index: entry.index,
            joined: entry.time,
            place: fan.place.unwrap_or_default(),
            cohort: row.as_ref().map_or(0, |row| row.k),
            entrance: Entrance::default(),
            rev: 0,
            expires: WallMs(i64::MAX),
        });
        if let (Some(was), Some(is)) = (before, place)
            && was != is
        {
            self.fail(format!("fan {number} was told place {was}, then {is}"));
        }
        if let Some(row) = row {
            self.note(row);
        }
    }

    /// A place as this run computes it.
    pub fn place(&self, row: &Row, shard: u16, entry: &Entry) -> Option<u64> {
        match self.shuffled {
            true => row.place_of_entry(shard, entry),
            false => Some(row.base + row.position(shard, entry.epoch, entry.index)? + 1),
        }
    }

    /// A row that a number was told from never changes.
    fn note(&mut self, row: Row) {
        let k = row.k as usize;
        if self.told.len() <= k {
            self.told.resize(k + 1, None);
        }
        match &self.told[k] {
            Some(told) if *told != row => self.fail(format!("cohort {k} was told in two forms")),
            Some(_) => {}
            None => self.told[k] = Some(row),
        }
    }
}
