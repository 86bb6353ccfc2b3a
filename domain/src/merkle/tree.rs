//! A tree that keeps every complete node, so that a proof costs a few hashes, also for a tree of fewer leaves: a log that has
//! grown still proves under the root of each of its cuts.

use super::{Hash, node_hash};

/// All complete nodes of a growing tree: 64 bytes a leaf.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    /// Level 0 are the leaves; node `i` of level `l` covers the leaves from `i × 2^l`, `2^l` of them.
    levels: Vec<Vec<Hash>>,
}

impl Tree {
    /// Number of leaves.
    pub fn len(&self) -> u64 {
        self.levels.first().map_or(0, |leaves| leaves.len() as u64)
    }

    /// Whether there is no leaf yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends a leaf by its hash, and the nodes that become complete with it.
    pub fn push(&mut self, leaf: Hash) {
        let mut node = leaf;
        for level in 0.. {
            if self.levels.len() == level {
                self.levels.push(Vec::new());
            }
            let Some(nodes) = self.levels.get_mut(level) else { return };
            let left = nodes.last().copied().filter(|_| nodes.len() % 2 == 1);
            nodes.push(node);
            let Some(left) = left else { return };
            node = node_hash(&left, &node);
        }
    }

    /// The inclusion proof of leaf `index` in the tree over the first `len` leaves (RFC 6962, 2.1.1), lowest sibling first;
    /// `None` unless `index < len` and the tree has that many.
    pub fn proof(&self, index: u64, len: u64) -> Option<Vec<Hash>> {
        let inside = index < len && len <= self.len();
        inside.then(|| self.path(index, 0, len)).flatten()
    }

    /// The path within the `len` leaves from `start`.
    fn path(&self, index: u64, start: u64, len: u64) -> Option<Vec<Hash>> {
        if len == 1 {
            return Some(Vec::new());
        }
        let left = split(len);
        let (mut path, sibling) = if index < start + left {
            (self.path(index, start, left)?, self.root_of(start + left, len - left)?)
        } else {
            (self.path(index, start + left, len - left)?, self.root_of(start, left)?)
        };
        path.push(sibling);
        Some(path)
    }

    fn root_of(&self, start: u64, len: u64) -> Option<Hash> {
        if len.is_power_of_two() {
            let level = len.trailing_zeros();
            return self.levels.get(level as usize)?.get(usize::try_from(start >> level).ok()?).copied();
        }
        let left = split(len);
        Some(node_hash(&self.root_of(start, left)?, &self.root_of(start + left, len - left)?))
    }
}

impl FromIterator<Hash> for Tree {
    fn from_iter<T: IntoIterator<Item = Hash>>(leaves: T) -> Self {
        let mut tree = Self::default();
        leaves.into_iter().for_each(|leaf| tree.push(leaf));
        tree
    }
}

/// The largest power of two below `len` (which is at least 2).
fn split(len: u64) -> u64 {
    1 << (len - 1).ilog2()
}

#[cfg(test)]
mod tests {
    use super::super::{leaf_hash, root, verify};
    use super::*;

    #[test]
    fn a_grown_log_proves_under_the_root_of_every_cut() {
        let leaves: Vec<Hash> = (0..40_u8).map(|i| leaf_hash(&[i])).collect();
        let tree: Tree = leaves.iter().copied().collect();
        for len in 1..=40 {
            let root = root(&leaves[..len as usize]);
            for index in 0..len {
                let path = tree.proof(index, len).expect("inside");
                assert!(verify(&root, len, index, &leaves[index as usize], &path), "{index} of {len}");
            }
            assert_eq!(tree.proof(len, len), None);
        }
        assert_eq!(tree.proof(0, 41), None, "longer than the log");
        assert_eq!((tree.len(), Tree::default().is_empty()), (40, true));
    }
}
