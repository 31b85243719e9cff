//! The time in which threads were blocked in calls, by the regions' places in the nest, and by task
//! constructs.
//!
//! The agent sums calls by the construct of the innermost region. A construct may stand at several
//! places of the nest, for example where several regions call a function with a region: samples
//! tell how much of the construct's time each place has. The agent does not tell tasks' sleep from
//! their work either: samples do.

use std::collections::{BTreeMap, HashMap};

use omphalos_profile_format::Sample;

use super::sums::add;
use super::within::{DEEPEST, part};
use crate::ompt::{Activity, TASK_EXPLICIT};
use crate::recording::Recording;

/// A place in the nest: the construct, the one around it, the level; as in [`Recording::regions`].
pub(super) type Place = (u64, u64, u32);

#[derive(Debug, Default)]
pub(super) struct Blocked {
    /// Blocked time with that of its own threads in nested regions.
    regions: HashMap<Place, u64>,
    /// The place's share of its construct's own calls.
    shares: HashMap<Place, (u64, u64)>,
    /// Blocked time in explicit tasks: by the regions that executed them, and below by the
    /// constructs that made them.
    in_tasks: HashMap<Place, u64>,
    tasks: HashMap<u64, u64>,
}

impl Blocked {
    pub(super) fn of(recording: &Recording) -> Blocked {
        let mut blocked = Blocked::default();
        // Blocked time by samples: in each place itself, and in each place inside another one.
        let mut own: HashMap<Place, u64> = HashMap::new();
        let mut inside: HashMap<(Place, Place), u64> = HashMap::new();
        let mut in_tasks: HashMap<(Option<Place>, u64), u64> = HashMap::new();
        for taken in recording.samples.iter() {
            let Some((_, time)) = taken.blocked.filter(|_| is_work(&taken.sample)) else {
                continue;
            };
            let places = nest(recording, taken.sample.region);
            if let Some(&(innermost, _)) = places.first() {
                add(own.entry(innermost).or_default(), time);
            }
            // A thread that was hired for a region is no member of those around it.
            let encountered = |place: &&(Place, u32)| place.1 == taken.sample.thread;
            let outer = places.iter().take_while(encountered).count();
            for (place, _) in places.iter().skip(1).take(outer) {
                add(inside.entry((places[0].0, *place)).or_default(), time);
            }
            if taken.sample.task_flags & TASK_EXPLICIT != 0 {
                let innermost = places.first().map(|(place, _)| *place);
                let key = (innermost, taken.sample.task_codeptr);
                add(in_tasks.entry(key).or_default(), time);
            }
        }
        let mut calls: HashMap<u64, u64> = HashMap::new();
        for (&(site, _), sums) in &recording.calls {
            add(calls.entry(site).or_default(), sums.blocked);
        }
        let mut sites: BTreeMap<u64, Vec<Place>> = BTreeMap::new();
        for &place in recording.regions.keys() {
            sites.entry(place.0).or_default().push(place);
        }
        for (site, places) in &sites {
            let of_calls = calls.get(site).copied().unwrap_or(0);
            for (place, share) in shares(recording, places, &|place| own.get(&place).copied()) {
                blocked.shares.insert(place, share);
                blocked.regions.insert(place, part(of_calls, share));
            }
        }
        let of_own: HashMap<Place, u64> = blocked.regions.clone();
        for ((inner, outer), time) in inside {
            let all = own.get(&inner).copied().unwrap_or(0);
            let exact = of_own.get(&inner).copied().unwrap_or(0);
            add(blocked.regions.entry(outer).or_default(), part(exact, (time, all)));
        }
        // Calls that no sample met are shared out like the others.
        for ((place, task), mut time) in in_tasks {
            if let Some(place) = place {
                let all = own.get(&place).copied().unwrap_or(0);
                time = part(of_own.get(&place).copied().unwrap_or(0), (time, all));
                add(blocked.in_tasks.entry(place).or_default(), time);
            }
            add(blocked.tasks.entry(task).or_default(), time);
        }
        blocked
    }

    /// Returns how long a region's threads were blocked in it and in regions inside it.
    pub(super) fn in_region(&self, place: Place) -> u64 {
        self.regions.get(&place).copied().unwrap_or(0)
    }

    /// Returns the place's share of the time in which its construct's regions were blocked in
    /// calls.
    pub(super) fn share(&self, place: Place) -> (u64, u64) {
        self.shares.get(&place).copied().unwrap_or((0, 1))
    }

    /// Returns the blocked time in explicit tasks that the region executed.
    pub(super) fn in_tasks_of(&self, place: Place) -> u64 {
        self.in_tasks.get(&place).copied().unwrap_or(0)
    }

    /// Returns the blocked time in the tasks of the construct with this return address.
    pub(super) fn in_tasks(&self, codeptr_ra: u64) -> u64 {
        self.tasks.get(&codeptr_ra).copied().unwrap_or(0)
    }
}

fn is_work(sample: &Sample) -> bool {
    Activity::of_state(sample.state) == Activity::Parallel
}

/// Returns the places around a region, the innermost first, and the thread that encountered each;
/// none where a fork has no record.
fn nest(recording: &Recording, mut region: u64) -> Vec<(Place, u32)> {
    let mut sites = Vec::new();
    while region != 0 {
        match recording.forks.get(&region) {
            Some((fork, _)) if sites.len() < DEEPEST => {
                sites.push((fork.codeptr_ra, fork.thread));
                region = fork.parent;
            }
            _ => return Vec::new(),
        }
    }
    let around = |at: usize| sites.get(at + 1).map_or(0, |outer| outer.0);
    let level = |at: usize| (sites.len() - at) as u32;
    let each = sites.iter().enumerate();
    each.map(|(at, &(site, thread))| ((site, around(at), level(at)), thread)).collect()
}

/// Returns the share of each place in the time of all of them: by samples, or else by their time at
/// work.
fn shares(
    recording: &Recording,
    places: &[Place],
    sampled: &dyn Fn(Place) -> Option<u64>,
) -> Vec<(Place, (u64, u64))> {
    if let [only] = places {
        return vec![(*only, (1, 1))];
    }
    let by_samples = places.iter().any(|&place| sampled(place).is_some());
    let weight = |place: &Place| match by_samples {
        true => sampled(*place).unwrap_or(0),
        false => recording.regions.get(place).map_or(0, |total| total.work),
    };
    let mut whole = 0;
    places.iter().for_each(|place| add(&mut whole, weight(place)));
    places.iter().map(|place| (*place, (weight(place), whole))).collect()
}
