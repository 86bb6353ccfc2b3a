//! The seat map in an isolate's memory: its parts become bytes when somebody asks for them, once.

use std::cell::RefCell;
use std::rc::Rc;

use domain::map::chart::{Ask, Chart, Found, NoSuchSection, Part};

use crate::document::Binary;
use crate::problem::Problem;
use crate::wire::MapText;

/// Parts that are kept; readers who ask every other second need two or three of one version.
const PARTS: usize = 32;

/// A seat map.
pub struct SeatMap {
    chart: Chart,
    parts: RefCell<Vec<(Part, Rc<Binary>)>>,
}

impl SeatMap {
    /// Reads what a shard has.
    pub fn read(map: &MapText) -> Result<Self, Problem> {
        Ok(Self { chart: serde_json::from_str(&map.text)?, parts: RefCell::default() })
    }

    /// What there is for a reader.
    pub fn find(&self, ask: &Ask) -> Result<Found, NoSuchSection> {
        self.chart.find(ask)
    }

    /// A part, if its bytes are here.
    pub fn known_part(&self, part: &Part) -> Option<Rc<Binary>> {
        self.parts.borrow().iter().find(|(known, _)| known == part).map(|(_, bytes)| Rc::clone(bytes))
    }

    /// A part.
    pub fn part(&self, part: Part) -> Rc<Binary> {
        if let Some(known) = self.known_part(&part) {
            return known;
        }
        let bytes = Rc::new(Binary::new(self.chart.write(&part)));
        let mut parts = self.parts.borrow_mut();
        parts.truncate(PARTS - 1);
        parts.insert(0, (part, Rc::clone(&bytes)));
        bytes
    }
}
