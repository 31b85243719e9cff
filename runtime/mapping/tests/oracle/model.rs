//! The oracle.

use crate::device::{FRESH, HOST, Machine};
use omphalos_mapping::Map;

pub const VARIABLES: usize = 3;
pub const BYTES: usize = 12;
/// Variables stand apart, so that no section is in two of them.
pub const STRIDE: usize = 16;

/// A section of a variable: its number, first byte and the byte behind the last.
pub type Part = (usize, usize, usize);

/// The maps of a construct.
pub type List = Vec<(Part, Map)>;

/// A part of a variable on the device.
#[derive(Clone, Debug)]
pub struct There {
    pub part: Part,
    pub count: u32,
    pub bytes: Vec<u8>,
    /// The number of this copy among all copies that were ever there.
    pub number: u32,
}

/// The entries that a construct holds: copies by number, with the part and the map that it named.
pub type Holds = Vec<(u32, Part, Map)>;

#[derive(Default)]
pub struct Oracle {
    pub host: Vec<Vec<u8>>,
    pub there: Vec<There>,
    pub made: u32,
}

impl Oracle {
    pub fn new(machine: &Machine) -> Oracle {
        let bytes = |variable| machine.read_host(HOST + variable * STRIDE, BYTES);
        Oracle { host: (0..VARIABLES).map(bytes).collect(), ..Oracle::default() }
    }

    pub fn meeting(&self, (variable, from, to): Part) -> Vec<usize> {
        let meets = |there: &There| {
            let (its, first, end) = there.part;
            its == variable
                && if from == to { first <= from && from <= end } else { first < to && from < end }
        };
        (0..self.there.len()).filter(|&at| meets(&self.there[at])).collect()
    }

    /// The one copy that has all of the part; `Err` if only some of it is there.
    pub fn having(&self, part: Part) -> Result<Option<usize>, ()> {
        match self.meeting(part)[..] {
            [] => Ok(None),
            [at] => {
                let (_, first, end) = self.there[at].part;
                if first <= part.1 && part.2 <= end { Ok(Some(at)) } else { Err(()) }
            }
            _ => Err(()),
        }
    }

    pub fn copy(&mut self, at: usize, (variable, from, to): Part, back: bool) {
        let there = &mut self.there[at];
        let first = there.part.1;
        let (host, device) =
            (&mut self.host[variable][from..to], &mut there.bytes[from - first..to - first]);
        if back { host.copy_from_slice(device) } else { device.copy_from_slice(host) }
    }

    pub fn begin(&mut self, items: &[(Part, Map)]) -> Holds {
        let mut holds = Holds::new();
        for &(part, map) in items {
            let known = self.having(part).expect("only what is right comes here");
            let at = match known {
                Some(at) => {
                    if map.to && map.always {
                        self.copy(at, part, false);
                    }
                    at
                }
                None => {
                    let bytes = vec![FRESH; part.2 - part.1];
                    self.made += 1;
                    self.there.push(There { part, count: 0, bytes, number: self.made });
                    let at = self.there.len() - 1;
                    if map.to {
                        self.copy(at, part, false);
                    }
                    at
                }
            };
            let number = self.there[at].number;
            if !holds.iter().any(|(held, ..)| *held == number) {
                self.there[at].count += 1;
            }
            holds.push((number, part, map));
        }
        holds
    }

    pub fn end(&mut self, holds: Holds, delete: impl Fn(usize) -> bool) {
        let mut seen = Vec::new();
        for (item, (number, ..)) in holds.iter().enumerate() {
            let Some(there) = self.there.iter_mut().find(|there| there.number == *number) else {
                continue;
            };
            if delete(item) {
                there.count = 0;
            } else if !seen.contains(number) {
                there.count = there.count.saturating_sub(1);
            }
            seen.push(*number);
        }
        for (number, part, map) in holds {
            let Some(at) = self.there.iter().position(|there| there.number == number) else {
                continue;
            };
            if map.from && (map.always || self.there[at].count == 0) {
                self.copy(at, part, true);
            }
        }
        self.there.retain(|there| there.count > 0);
    }

    /// Sorts a list's items, one after the other, into right and wrong ones.
    pub fn sort(&self, items: &[(Part, Map)]) -> (List, List) {
        let (mut right, mut wrong) = (List::new(), Vec::new());
        for &(part, map) in items {
            let mut trial =
                Oracle { host: self.host.clone(), there: self.there.clone(), made: self.made };
            trial.begin(&right);
            let is_there = trial.having(part);
            if part.1 == part.2 {
            } else if is_there.is_err() || map.present && is_there == Ok(None) {
                // The item can be tried alone only if it is wrong at once, too.
                if self.having(part).is_err() || map.present && self.having(part) == Ok(None) {
                    wrong.push((part, map));
                }
            } else {
                right.push((part, map));
            }
        }
        (right, wrong)
    }
}
