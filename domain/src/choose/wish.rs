//! What a party wishes for.

use crate::ids::SectionId;

/// Which kinds of places a party takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    /// Ordinary seats only.
    Ordinary,
    /// Wheelchair and companion places in any number, at least one of them a wheelchair place.
    Accessible,
    /// So many wheelchair and so many companion places, the others ordinary seats; all side by side.
    Mixed {
        /// Wheelchair places.
        accessible: usize,
        /// Places beside them.
        companion: usize,
    },
}

/// A wish for seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// How many, at least one.
    pub quantity: usize,
    /// Sections that will do; empty: any.
    pub sections: Vec<SectionId>,
    /// Positions of the price levels that will do; none: any.
    pub levels: Option<Vec<usize>>,
    /// Which kinds of places.
    pub party: Party,
    /// Whether the party may be split if it fits nowhere in one piece.
    pub split: bool,
}

impl Wish {
    /// So many ordinary seats, wherever they are.
    #[must_use]
    pub fn of(quantity: usize) -> Self {
        Self { quantity, sections: Vec::new(), levels: None, party: Party::Ordinary, split: true }
    }

    pub(super) fn wants(&self, section: &SectionId) -> bool {
        self.sections.is_empty() || self.sections.contains(section)
    }

    /// A wheelchair place and its companion's are never torn apart.
    pub(super) fn may_split(&self) -> bool {
        self.split && self.quantity > 1 && self.party == Party::Ordinary
    }

    pub(super) fn takes(&self, level: usize, kind: u8) -> bool {
        let kind_will_do = match self.party {
            Party::Ordinary => kind == 0,
            Party::Accessible => kind != 0,
            Party::Mixed { .. } => true,
        };
        kind_will_do && self.levels.as_ref().is_none_or(|levels| levels.contains(&level))
    }

    /// Whether seats of these kinds are what the party needs, each kind in its number.
    pub(super) fn met_by(&self, kinds: impl Iterator<Item = u8>) -> bool {
        let (mut accessible, mut companion) = (0, 0);
        for kind in kinds {
            accessible += usize::from(kind == 1);
            companion += usize::from(kind == 2);
        }
        match self.party {
            Party::Ordinary => true,
            Party::Accessible => accessible > 0,
            Party::Mixed { accessible: a, companion: c } => (accessible, companion) == (a, c),
        }
    }
}
