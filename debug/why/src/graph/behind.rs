//! Finds the threads that wait for certain threads, however many are in between.

use super::{Blocker, Graph};

impl Graph<'_> {
    /// Returns the threads that wait for one of `those`, directly or through others, in the order
    /// of the snapshot.
    pub fn behind_those(&self, those: &[usize]) -> Vec<usize> {
        let mut known: Vec<bool> = vec![false; self.edges.len()];
        those.iter().for_each(|at| known[*at] = true);
        let mut found: Vec<usize> = Vec::new();
        loop {
            let waits = |at: &usize| {
                let is_known = |edge: &Blocker| matches!(edge, Blocker::Thread(to) if known[*to]);
                !known[*at] && self.edges[*at].iter().any(is_known)
            };
            let more: Vec<usize> = (0..self.edges.len()).filter(waits).collect();
            if more.is_empty() {
                found.sort_unstable();
                return found;
            }
            more.iter().for_each(|at| known[*at] = true);
            found.extend(more);
        }
    }
}
