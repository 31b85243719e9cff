//! Structures, pointers, descriptors, sections without length, private copies.

mod device;

use device::{FRESH, HOST, Machine, item, map};
use omphalos_mapping::{Fault, Item, Kind, Map, Release, Section, Table};

const ATTACH: Kind = Kind::Attach { may_miss: false };
const POINTER: Kind = Kind::Pointer { may_miss: false };

fn start() -> (Machine, Table) {
    (Machine::new(256), Table::new())
}

/// Maps, or returns the fault.
fn try_enter(machine: &Machine, table: &mut Table, items: &[Item]) -> Result<(), Fault> {
    // SAFETY: the machine's own bytes.
    unsafe { table.enter(machine, items) }
}

#[test]
fn members_keep_their_distances_and_have_one_count() {
    let (machine, mut table) = start();
    let structure =
        [item(HOST, 2, Kind::Members), map(HOST + 8, 4, Map::TO), map(HOST + 24, 8, Map::TOFROM)];
    // SAFETY: the machine's own bytes.
    let mapping = unsafe { table.map(&machine, &structure) }.expect("right");
    let [base, first, second] = mapping.arguments[..] else { panic!("three items") };
    assert_eq!((first - base, second - base), (8, 24));
    assert_eq!((table.len(), machine.blocks()), (2, 1));
    assert_eq!((table.references(HOST + 8), table.references(HOST + 24)), (Some(1), Some(1)));
    assert_eq!(machine.read(first, 8), [8, 9, 10, 11, FRESH, FRESH, FRESH, FRESH]);
    assert!(!table.is_present(HOST + 16), "what is between them is not mapped");
    let beside = [item(HOST, 1, Kind::Members), map(HOST + 16, 4, Map::TO)];
    let fault = try_enter(&machine, &mut table, &beside);
    assert_eq!(fault, Err(Fault::Member { item: 1, section: Section::new(HOST + 16, 4) }));
    machine.write(second, &[99; 8]);
    // SAFETY: as above.
    unsafe { table.unmap(&machine, mapping) };
    assert_eq!((table.len(), machine.blocks()), (0, 0));
    assert_eq!(machine.read_host(HOST + 24, 8), [99; 8]);
}

#[test]
fn attached_pointers_outlast_copies() {
    let (machine, mut table) = start();
    machine.set_host_pointer(HOST + 8, HOST + 64 - 4);
    let items =
        [map(HOST, 32, Map::TOFROM), map(HOST + 64, 16, Map::TO), item(HOST + 8, 4, ATTACH)];
    try_enter(&machine, &mut table, &items).expect("right");
    let structure = table.translate(HOST).expect("present");
    let target = table.translate(HOST + 64).expect("present");
    assert_eq!(machine.device_pointer(structure + 8), target - 4);
    // SAFETY: the machine's own bytes.
    unsafe {
        let both = [map(HOST, 32, Map::TO.always())];
        let mapping = table.map(&machine, &both).expect("right");
        assert_eq!(machine.device_pointer(structure + 8), target - 4, "a copy leaves it alone");
        table.unmap(&machine, mapping);
        let mapping = table.map(&machine, &items).expect("right");
        table.unmap(&machine, mapping);
        assert_eq!(
            machine.device_pointer(structure + 8),
            target - 4,
            "attached once more, and no more"
        );
        table.update(&machine, &[map(HOST, 32, Map::FROM)]).expect("right");
        assert_eq!(machine.read_host(HOST + 8, 8), (HOST + 60).to_ne_bytes());
        table.exit(&machine, &[item(HOST + 8, 0, Kind::Detach { always: false })]).expect("right");
        assert_eq!(machine.device_pointer(structure + 8), HOST + 60, "as on the host");
    }
}

#[test]
fn pointers_to_nothing_are_named() {
    let (machine, mut table) = start();
    machine.set_host_pointer(HOST + 8, HOST + 64);
    let items = [map(HOST, 32, Map::TO), item(HOST + 8, 0, ATTACH)];
    let fault = try_enter(&machine, &mut table, &items).expect_err("nothing is there");
    assert_eq!(fault, Fault::Dangling { item: 1, pointer: HOST + 8, target: HOST + 64 });
    assert!(fault.to_string().contains("0x1040"), "{fault}");
    machine.set_host_pointer(HOST + 8, 0);
    let fault = try_enter(&machine, &mut table, &items);
    assert_eq!(fault, Err(Fault::Null { item: 1, pointer: HOST + 8 }));
    let items = [map(HOST + 100, 0, Map::TO), item(HOST + 128, 0, POINTER)];
    machine.set_host_pointer(HOST + 128, HOST + 100);
    try_enter(&machine, &mut table, &items).expect("there is nothing to point to");
}

#[test]
fn descriptors_are_filled_when_there_is_data() {
    let (machine, mut table) = start();
    machine.set_host_pointer(HOST, 0);
    let empty = [item(HOST, 32, Kind::Descriptor), item(HOST, 0, POINTER)];
    try_enter(&machine, &mut table, &empty).expect("right");
    let device = table.translate(HOST).expect("present");
    assert_eq!(machine.device_pointer(device), 0);
    machine.set_host_pointer(HOST, HOST + 64);
    let items =
        [map(HOST + 64, 16, Map::TO), item(HOST, 32, Kind::Descriptor), item(HOST, 0, POINTER)];
    machine.write_host(HOST + 24, &[5; 8]);
    try_enter(&machine, &mut table, &items).expect("right");
    assert_eq!(Some(machine.device_pointer(device)), table.translate(HOST + 64));
    assert_eq!(machine.read(device + 24, 8), [5; 8], "with its bounds");
}

#[test]
fn sections_without_length_find_what_they_begin_in() {
    let (machine, mut table) = start();
    let none = [item(HOST + 16, 0, Kind::NoLength { must: false, keep: false, hold: false })];
    // SAFETY: the machine's own bytes.
    unsafe {
        let mapping = table.map(&machine, &none).expect("right");
        assert_eq!(mapping.arguments, [0], "nothing is there");
        table.unmap(&machine, mapping);
        table
            .enter(&machine, &[map(HOST, 16, Map::TO), map(HOST + 16, 8, Map::TO)])
            .expect("right");
        let mapping = table.map(&machine, &none).expect("right");
        assert_eq!(mapping.arguments[0], table.translate(HOST + 16).expect("present"));
        assert_eq!((table.references(HOST), table.references(HOST + 16)), (Some(1), Some(2)));
        table.unmap(&machine, mapping);
        let device = table.translate(HOST).expect("present");
        let mapping = table
            .map(
                &machine,
                &[item(device, 0, Kind::NoLength { must: false, keep: false, hold: false })],
            )
            .expect("right");
        assert_eq!(mapping.arguments, [device], "the device's own address stays");
        table.unmap(&machine, mapping);
    }
    assert_eq!(table.references(HOST + 16), Some(1));
}

#[test]
fn an_implicit_map_takes_the_part_that_is_there() {
    let (machine, mut table) = start();
    try_enter(&machine, &mut table, &[map(HOST + 8, 8, Map::TO)]).expect("right");
    let implicit = Map { implicit: true, ..Map::TOFROM };
    // SAFETY: the machine's own bytes.
    unsafe {
        let mapping = table.map(&machine, &[map(HOST, 32, implicit)]).expect("right");
        assert_eq!(mapping.arguments[0] + 8, table.translate(HOST + 8).expect("present"));
        table.unmap(&machine, mapping);
    }
    let explicit = try_enter(&machine, &mut table, &[map(HOST, 32, Map::TOFROM)]);
    let present = Section::new(HOST + 8, 8);
    let section = Section::new(HOST, 32);
    assert_eq!(explicit, Err(Fault::Overlaps { item: 0, section, present }));
}

#[test]
fn variables_of_both_stay_and_what_they_point_to_with_them() {
    let (machine, mut table) = start();
    assert!(table.declare(Section::new(HOST, 16), HOST));
    assert!(table.declare(Section::new(HOST, 16), HOST), "the same may be said twice");
    machine.set_host_pointer(HOST + 8, HOST + 64);
    let items = [map(HOST + 64, 16, Map::TOFROM), item(HOST + 8, 0, ATTACH)];
    // SAFETY: the machine's own bytes.
    unsafe {
        table.exit(
            &machine,
            &[item(HOST, 16, Kind::Release(Release { delete: true, ..Release::default() }))],
        )
    }
    .expect("right");
    assert_eq!(table.translate(HOST), Some(HOST), "there to the end");
    // Nothing is copied: the machine has no device memory where the host's is.
    let shared = [map(HOST + 64, 16, Map::ALLOC), items[1]];
    // SAFETY: as above.
    unsafe {
        let mapping = table.map(&machine, &shared).expect("right");
        assert_eq!(table.translate(HOST + 64), Some(HOST + 64));
        table.unmap(&machine, mapping);
    }
    assert_eq!((table.len(), machine.blocks()), (1, 0));
    table.withdraw(Section::new(HOST, 256));
    assert!(table.is_empty());
}

#[test]
fn associations_are_the_programs() {
    let (_, mut table) = start();
    assert!(table.associate(Section::new(HOST, 16), 0x9000));
    assert!(!table.associate(Section::new(HOST, 16), 0x9100), "it has another counterpart");
    assert_eq!(table.translate(HOST + 4), Some(0x9004));
    assert!(!table.disassociate(HOST + 4));
    assert!(table.disassociate(HOST));
    assert!(!table.disassociate(HOST));
}

#[test]
fn a_construct_frees_its_own_copies() {
    let (machine, mut table) = start();
    let items = [
        item(HOST, 8, Kind::Firstprivate),
        item(42, 0, Kind::Value),
        item(HOST + 64, 0, Kind::Translate { must: false }),
        map(HOST + 64, 4, Map::ALLOC),
    ];
    // SAFETY: the machine's own bytes.
    unsafe {
        let mapping = table.map(&machine, &items).expect("right");
        assert_eq!(machine.read(mapping.arguments[0], 8), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(mapping.arguments[1], 42);
        assert_eq!(
            mapping.arguments[2], mapping.arguments[3],
            "what the construct itself maps counts"
        );
        table.unmap(&machine, mapping);
        let nothing = [map(HOST, 0, Map::TO), item(HOST, 0, Kind::Translate { must: true })];
        let mapping = table.map(&machine, &nothing).expect("nothing needs no counterpart");
        assert_eq!(mapping.arguments, [HOST, HOST]);
        table.unmap(&machine, mapping);
        let must = [item(HOST, 0, Kind::Translate { must: true })];
        assert!(matches!(table.map(&machine, &must), Err(Fault::Absent { item: 0, .. })));
    }
    assert_eq!(machine.blocks(), 0);
}
