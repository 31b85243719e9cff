//! Finds one time for all nodes. The ranks of one node share its clock; the clocks of other nodes
//! began at other moments. A collective call that no rank leaves before all ranks have come bounds
//! the difference of two clocks from both sides: the last rank of either node came before the first
//! rank of the other node left.

use std::collections::BTreeMap;

use super::meetings::Meetings;
use super::rank::Rank;

/// The corrections of the ranks' times.
pub(super) struct Clocks {
    of_ranks: Vec<i128>,
    /// The error that the correction of a node's clock may have, ns. `None` where there is one
    /// node; `i128::MAX` where nothing bounds the error.
    pub(super) unsure: Option<i128>,
}

impl Clocks {
    pub(super) fn of(&self, rank: u32, time: u64) -> i128 {
        i128::from(time) + self.of_ranks.get(rank as usize).copied().unwrap_or(0)
    }

    pub(super) fn new(ranks: &[Rank], meetings: &Meetings) -> Clocks {
        let mut hosts: BTreeMap<&str, usize> = BTreeMap::new();
        for rank in ranks {
            let next = hosts.len();
            hosts.entry(&rank.host).or_insert(next);
        }
        let host_of: Vec<usize> = ranks.iter().map(|rank| hosts[&*rank.host]).collect();
        if hosts.len() < 2 {
            return Clocks { of_ranks: vec![0; ranks.len()], unsure: None };
        }
        // By meeting and host: the time at which the host's last rank came, and the time at which
        // its first rank left.
        let mut seen: BTreeMap<(u32, usize), (u64, u64)> = BTreeMap::new();
        for (meeting, rank, part) in meetings.of_all() {
            let Some(host) = host_of.get(rank as usize) else { continue };
            let left = part.begin.saturating_add(part.elapsed);
            let both = seen.entry((meeting, *host)).or_insert((0, u64::MAX));
            *both = (both.0.max(part.begin), both.1.min(left));
        }
        // For each host: the least and the largest correction that makes its clock the first
        // host's.
        let mut bounds = vec![(i128::MIN, i128::MAX); hosts.len()];
        for (&(meeting, host), &(came, left)) in &seen {
            let Some(&(first_came, first_left)) = seen.get(&(meeting, 0)) else { continue };
            let (least, most) = &mut bounds[host];
            *least = (*least).max(i128::from(first_came) - i128::from(left));
            *most = (*most).min(i128::from(first_left) - i128::from(came));
        }
        let mut unsure = 0;
        let mut offsets = vec![0; hosts.len()];
        let wall = |host: usize| {
            let rank = host_of.iter().position(|of| *of == host).map(|at| &ranks[at]);
            rank.map_or(0, |rank| rank.wall_less_clock)
        };
        for (host, &(least, most)) in bounds.iter().enumerate().skip(1) {
            if least == i128::MIN || most == i128::MAX {
                // This host and the first one meet in no such call: only their wall clocks are
                // left.
                offsets[host] = wall(host) - wall(0);
                unsure = i128::MAX;
            } else {
                offsets[host] = least.midpoint(most);
                unsure = unsure.max((most - least).abs() / 2);
            }
        }
        let of_ranks = host_of.iter().map(|host| offsets[*host]).collect();
        Clocks { of_ranks, unsure: Some(unsure) }
    }
}
