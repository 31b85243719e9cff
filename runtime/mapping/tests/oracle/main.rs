//! Random sequences of constructs against an oracle that knows variables and copies of them, but no
//! table.

#[path = "../device/mod.rs"]
mod device;
mod model;

use device::{HOST, Machine, item, map};
use model::{BYTES, Holds, Oracle, Part, STRIDE, VARIABLES};
use omphalos_mapping::{Fault, Item, Kind, Map, Mapping, Release, Table};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Step {
    Enter(Vec<(Part, Map)>),
    Exit(Vec<(Part, Release)>),
    Update(Vec<(Part, bool)>),
    /// `target data` or `target`, and the bytes that its region writes (to any variable that it
    /// has).
    Begin(Vec<(Part, Map)>, Vec<(usize, usize, u8)>),
    /// The latest that has begun ends.
    End,
    Write(usize, usize, u8),
}

fn part() -> impl Strategy<Value = Part> {
    (0..VARIABLES, 0..BYTES, 0..=BYTES)
        .prop_map(|(variable, one, other)| (variable, one.min(other), one.max(other)))
}

fn whole_or_part() -> impl Strategy<Value = Part> {
    prop_oneof![(0..VARIABLES).prop_map(|variable| (variable, 0, BYTES)), part()]
}

fn maps() -> impl Strategy<Value = Map> {
    (any::<bool>(), any::<bool>(), any::<bool>(), prop::bool::weighted(0.1)).prop_map(
        |(to, from, always, present)| {
            let always = always && (to || from);
            Map { to, from, always, present, ..Map::ALLOC }
        },
    )
}

fn releases() -> impl Strategy<Value = Release> {
    (0..4).prop_map(|kind| match kind {
        0 => Release::default(),
        1 => Release { from: true, ..Release::default() },
        2 => Release { from: true, always: true, ..Release::default() },
        _ => Release { delete: true, ..Release::default() },
    })
}

fn list<T: Strategy>(of: T) -> impl Strategy<Value = Vec<(Part, T::Value)>>
where
    T::Value: Clone,
{
    prop::collection::vec((whole_or_part(), of), 1..4)
}

fn step() -> impl Strategy<Value = Step> {
    let write = (0..VARIABLES, 0..BYTES, any::<u8>());
    prop_oneof![
        2 => list(maps()).prop_map(Step::Enter),
        2 => list(releases()).prop_map(Step::Exit),
        2 => list(any::<bool>()).prop_map(Step::Update),
        3 => (list(maps()), prop::collection::vec(write.clone(), 0..4))
            .prop_map(|(list, writes)| Step::Begin(list, writes)),
        3 => Just(Step::End),
        2 => write.prop_map(|(variable, at, value)| Step::Write(variable, at, value)),
    ]
}

fn address((variable, from, to): Part) -> (usize, usize) {
    (HOST + variable * STRIDE + from, to - from)
}

fn items(list: &[(Part, Map)]) -> Vec<Item> {
    list.iter().map(|&(part, its)| map(address(part).0, address(part).1, its)).collect()
}

struct Run {
    machine: Machine,
    table: Table,
    oracle: Oracle,
    open: Vec<(Mapping, Holds)>,
}

impl Run {
    fn step(&mut self, step: Step) {
        // SAFETY: the machine's own bytes.
        unsafe {
            match step {
                Step::Write(variable, at, value) => {
                    self.oracle.host[variable][at] = value;
                    self.machine.write_host(HOST + variable * STRIDE + at, &[value]);
                }
                Step::Enter(list) => {
                    let right = self.right(&list);
                    self.oracle.begin(&right);
                    self.table.enter(&self.machine, &items(&right)).expect("right");
                }
                Step::Begin(list, writes) => {
                    let right = self.right(&list);
                    let holds = self.oracle.begin(&right);
                    let mapping = self.table.map(&self.machine, &items(&right)).expect("right");
                    for (variable, at, value) in writes {
                        self.write(variable, at, value);
                    }
                    self.open.push((mapping, holds));
                }
                Step::End => {
                    if let Some((mapping, holds)) = self.open.pop() {
                        self.oracle.end(holds, |_| false);
                        self.table.unmap(&self.machine, mapping);
                    }
                }
                Step::Exit(list) => self.exit(list),
                Step::Update(list) => {
                    for (part, to) in list {
                        let its = if to { Map::TO } else { Map::FROM };
                        let result = self.table.update(&self.machine, &items(&[(part, its)]));
                        match self.oracle.having(part) {
                            _ if part.1 == part.2 => assert_eq!(result, Ok(None)),
                            Ok(Some(at)) => self.oracle.copy(at, part, !to),
                            Ok(None) => assert_eq!(result, Ok(None)),
                            Err(()) => assert!(matches!(result, Err(Fault::Overlaps { .. }))),
                        }
                    }
                }
            }
        }
    }

    /// Tries the wrong items, which must fail and change nothing; returns the rest.
    fn right(&mut self, list: &[(Part, Map)]) -> Vec<(Part, Map)> {
        let (right, wrong) = self.oracle.sort(list);
        for one in wrong {
            // SAFETY: the machine's own bytes.
            let result = unsafe { self.table.enter(&self.machine, &items(&[one])) };
            assert!(
                matches!(result, Err(Fault::Overlaps { .. } | Fault::Absent { .. })),
                "{result:?}"
            );
        }
        right
    }

    /// A region writes a byte, if it is on the device.
    fn write(&mut self, variable: usize, at: usize, value: u8) {
        let part = (variable, at, at + 1);
        let host = address(part).0;
        let Ok(Some(there)) = self.oracle.having(part) else {
            assert!(!self.table.is_present(host));
            return;
        };
        let first = self.oracle.there[there].part.1;
        self.oracle.there[there].bytes[at - first] = value;
        self.machine.write(self.table.translate(host).expect("present"), &[value]);
    }

    fn exit(&mut self, list: Vec<(Part, Release)>) {
        let mut right: Vec<(Part, Release)> = Vec::new();
        let mut holds = Holds::new();
        for (part, release) in list {
            let Ok(found) = self.oracle.having(part) else { continue };
            if part.1 == part.2 {
                continue;
            }
            right.push((part, release));
            if let Some(at) = found {
                let Release { from, always, .. } = release;
                let map = Map { from, always, ..Map::ALLOC };
                holds.push((self.oracle.there[at].number, part, map));
            }
        }
        let deletes: Vec<bool> = right
            .iter()
            .filter(|(part, _)| self.oracle.having(*part) != Ok(None))
            .map(|(_, release)| release.delete)
            .collect();
        self.oracle.end(holds, |item| deletes[item]);
        let items: Vec<Item> = right
            .iter()
            .map(|&(part, release)| item(address(part).0, address(part).1, Kind::Release(release)))
            .collect();
        // SAFETY: the machine's own bytes.
        unsafe { self.table.exit(&self.machine, &items) }.expect("right");
    }

    fn compare(&self) {
        for variable in 0..VARIABLES {
            let host = self.machine.read_host(HOST + variable * STRIDE, BYTES);
            assert_eq!(host, self.oracle.host[variable], "variable {variable}");
        }
        assert_eq!(self.table.len(), self.oracle.there.len());
        assert_eq!(self.machine.blocks(), self.oracle.there.len());
        for there in &self.oracle.there {
            let (host, bytes) = address(there.part);
            assert_eq!(self.table.references(host), Some(there.count.into()));
            let device = self.table.translate(host).expect("present");
            assert_eq!(self.machine.read(device, bytes), there.bytes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn sequences_do_as_the_oracle(steps in prop::collection::vec(step(), 1..14)) {
        let machine = Machine::new(VARIABLES * STRIDE);
        let oracle = Oracle::new(&machine);
        let mut run = Run { machine, table: Table::new(), oracle, open: Vec::new() };
        for step in steps {
            run.step(step);
            run.compare();
        }
        while !run.open.is_empty() {
            run.step(Step::End);
        }
        run.compare();
    }
}
