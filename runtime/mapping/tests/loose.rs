//! Lists as LLVM's compilers make them: parts of an earlier item's section, pointers that are bound
//! when all is mapped, copies of the construct's own, storage that is held.

mod device;

use device::{FRESH, HOST, Machine, item, map};
use omphalos_mapping::{Fault, Item, Kind, Map, Mapping, Release, Table};

const PART: Map = Map { loose: true, ..Map::ALLOC };
const PART_TO: Map = Map { loose: true, ..Map::TO };

fn bind(address: usize, bias: usize) -> Item {
    item(address, 8, Kind::Bind { bias, always: false, or_null: false })
}

fn begin(machine: &Machine, table: &mut Table, items: &[Item]) -> Mapping {
    // SAFETY: the machine's own bytes.
    unsafe { table.map(machine, items) }.expect("right")
}

fn release(table: &mut Table, machine: &Machine, items: &[(usize, usize, Release)]) {
    let items: Vec<Item> =
        items.iter().map(|&(at, bytes, of)| item(at, bytes, Kind::Release(of))).collect();
    // SAFETY: the machine's own bytes.
    unsafe { table.exit(machine, &items) }.expect("right");
}

#[test]
fn parts_fill_new_storage_once() {
    let (machine, mut table) = (Machine::new(256), Table::new());
    let both = [map(HOST, 32, PART), map(HOST + 8, 4, PART_TO)];
    let first = begin(&machine, &mut table, &both);
    let [whole, part] = first.arguments[..] else { panic!("two items") };
    assert_eq!(part, whole + 8);
    assert_eq!(machine.read(whole + 6, 8), [FRESH, FRESH, 8, 9, 10, 11, FRESH, FRESH]);
    assert_eq!((table.len(), table.references(HOST)), (1, Some(1)));
    machine.write(part, &[99; 4]);
    let second = begin(&machine, &mut table, &both);
    assert_eq!(machine.read(part, 4), [99; 4], "it was there");
    // SAFETY: the machine's own bytes.
    unsafe {
        table.unmap(&machine, second);
        table.unmap(&machine, first);
    }
    assert_eq!((table.len(), machine.blocks()), (0, 0));
}

#[test]
fn counterparts_are_as_aligned_as_what_they_are_of() {
    let (machine, mut table) = (Machine::new(256), Table::new());
    let odd = Item { align: 64, ..map(HOST + 20, 8, PART_TO) };
    let mapping = begin(&machine, &mut table, &[odd]);
    assert_eq!(mapping.arguments[0] % 64, 20);
    assert_eq!(machine.read(mapping.arguments[0], 8), machine.read_host(HOST + 20, 8));
    // SAFETY: the machine's own bytes.
    unsafe { table.unmap(&machine, mapping) };
    assert_eq!(machine.blocks(), 0);
}

#[test]
fn pointers_are_bound_where_one_side_is_new() {
    let (machine, mut table) = (Machine::new(256), Table::new());
    machine.set_host_pointer(HOST + 8, HOST + 64 - 4);
    let list = [
        bind(HOST + 8, 4),
        map(HOST, 32, Map { from: true, ..PART_TO }),
        map(HOST + 64, 8, PART_TO),
    ];
    let mapping = begin(&machine, &mut table, &list);
    let pointer = table.translate(HOST + 8).expect("present");
    let there = table.translate(HOST + 64).expect("present") - 4;
    assert_eq!(machine.device_pointer(pointer), there, "the order does not matter");
    machine.write(pointer, &[0; 8]);
    let again = begin(&machine, &mut table, &list);
    assert_eq!(machine.device_pointer(pointer), 0, "nothing was new");
    let always = item(HOST + 8, 8, Kind::Bind { bias: 4, always: true, or_null: false });
    let more = begin(&machine, &mut table, &[always]);
    assert_eq!(machine.device_pointer(pointer), there);
    // SAFETY: the machine's own bytes.
    unsafe {
        table.unmap(&machine, more);
        table.unmap(&machine, again);
        table.unmap(&machine, mapping);
    }
    assert_eq!(machine.read_host(HOST + 8, 8), (HOST + 60).to_ne_bytes(), "as the host had it");
}

#[test]
fn pointers_to_nothing_stay_or_become_null() {
    let (machine, mut table) = (Machine::new(256), Table::new());
    machine.set_host_pointer(HOST + 8, HOST + 64);
    let mut list = [map(HOST, 32, PART_TO), bind(HOST + 8, 0)];
    let mapping = begin(&machine, &mut table, &list);
    let pointer = table.translate(HOST + 8).expect("present");
    assert_eq!(machine.device_pointer(pointer), HOST + 64);
    list[1].kind = Kind::Bind { bias: 0, always: true, or_null: true };
    let more = begin(&machine, &mut table, &list);
    assert_eq!(machine.device_pointer(pointer), 0);
    // SAFETY: the machine's own bytes.
    unsafe {
        table.unmap(&machine, more);
        table.unmap(&machine, mapping);
    }
}

#[test]
fn what_a_construct_has_of_its_own_points_to_counterparts() {
    let (machine, mut table) = (Machine::new(256), Table::new());
    machine.set_host_pointer(HOST + 8, HOST + 64);
    machine.set_host_pointer(HOST + 40, HOST + 66);
    let list = [
        map(HOST + 64, 8, PART_TO),
        item(HOST + 8, 8, Kind::PrivatePointer { bias: 0 }),
        item(HOST + 32, 16, Kind::Firstprivate),
        item(HOST + 40, 8, Kind::Captured { parent: 2, bias: 0 }),
        item(HOST + 96, 4, Kind::Private),
    ];
    let mapping = begin(&machine, &mut table, &list);
    let [there, pointer, copy, _, private] = mapping.arguments[..] else { panic!("five items") };
    assert_eq!(machine.device_pointer(pointer), there);
    assert_eq!(machine.device_pointer(copy + 8), there + 2);
    assert_eq!(machine.read(private, 4), [FRESH; 4]);
    // SAFETY: the machine's own bytes.
    unsafe { table.unmap(&machine, mapping) };
    assert_eq!(machine.blocks(), 0);
}

#[test]
fn what_is_held_stays() {
    let (machine, mut table) = (Machine::new(256), Table::new());
    let held = begin(&machine, &mut table, &[map(HOST, 8, Map { hold: true, ..PART_TO })]);
    begin_for_good(&machine, &mut table, &[map(HOST, 8, PART_TO)]);
    release(&mut table, &machine, &[(HOST, 8, Release { delete: true, ..Release::default() })]);
    assert!(table.is_present(HOST));
    // SAFETY: the machine's own bytes.
    unsafe { table.unmap(&machine, held) };
    assert!(!table.is_present(HOST));
}

fn begin_for_good(machine: &Machine, table: &mut Table, items: &[Item]) {
    // SAFETY: the machine's own bytes.
    unsafe { table.enter(machine, items) }.expect("right");
}

#[test]
fn who_deletes_decides() {
    let (machine, mut table) = (Machine::new(256), Table::new());
    for _ in 0..3 {
        begin_for_good(&machine, &mut table, &[map(HOST, 8, PART_TO)]);
    }
    let delete = Release { delete: true, ..Release::default() };
    release(&mut table, &machine, &[(HOST, 8, Release::default()), (HOST, 4, delete)]);
    assert_eq!((table.len(), machine.blocks()), (0, 0));
}

#[test]
fn who_names_an_array_without_length_means_its_part() {
    let (machine, mut table) = (Machine::new(256), Table::new());
    let none = Kind::NoLength { must: false, keep: false, hold: false };
    begin_for_good(&machine, &mut table, &[map(HOST + 64, 8, Map { ahead: 32, ..PART_TO })]);
    let list = [item(HOST + 32, 0, none), item(HOST + 31, 0, none), item(HOST + 64, 0, none)];
    let mapping = begin(&machine, &mut table, &list);
    let there = table.translate(HOST + 64).expect("present");
    assert_eq!(mapping.arguments, [there - 32, 0, there]);
    let keep = Kind::NoLength { must: false, keep: true, hold: false };
    let kept = begin(&machine, &mut table, &[item(HOST + 31, 0, keep)]);
    assert_eq!(kept.arguments, [HOST + 31]);
    // SAFETY: the machine's own bytes.
    unsafe { table.unmap(&machine, kept) };
    assert_eq!(table.references(HOST + 64), Some(2));
    // SAFETY: the machine's own bytes.
    unsafe { table.unmap(&machine, mapping) };
    let all = Release { no_length: true, ..Release::default() };
    release(&mut table, &machine, &[(HOST + 40, 0, all)]);
    assert!(table.is_empty());
}

#[test]
fn what_is_there_in_part_is_passed_over() {
    let (machine, mut table) = (Machine::new(256), Table::new());
    begin_for_good(&machine, &mut table, &[map(HOST, 8, PART)]);
    let loose = Release { loose: true, from: true, ..Release::default() };
    let leave = |table: &mut Table, release| {
        let items = [item(HOST, 16, Kind::Release(release))];
        // SAFETY: the machine's own memory.
        unsafe { table.exit(&machine, &items) }
    };
    let passed = leave(&mut table, loose).unwrap();
    assert!(matches!(passed, Some(Fault::Overlaps { item: 0, .. })), "{passed:?}");
    assert_eq!(table.references(HOST), Some(1));
    let delete = Release { delete: true, ..loose };
    assert!(leave(&mut table, delete).unwrap().is_some());
    assert_eq!(table.references(HOST), Some(1));
    let must = leave(&mut table, Release { present: true, ..loose });
    assert!(matches!(must, Err(Fault::Absent { item: 0, .. })), "{must:?}");
    assert!(leave(&mut table, Release { implicit: true, ..loose }).unwrap().is_none());
    assert_eq!(table.references(HOST), None);
}
