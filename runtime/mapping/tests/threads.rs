//! Threads that map the same variable, each construct under the table's lock, as a runtime does.

mod device;

use device::{HOST, Machine, map};
use omphalos_mapping::{Map, Table};
use std::sync::Mutex;

#[test]
fn eight_threads_map_one_variable() {
    let both = Mutex::new((Machine::new(64), Table::new()));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..500 {
                    let items = [map(HOST, 16, Map::TOFROM)];
                    let mapping = {
                        let (machine, table) = &mut *both.lock().expect("no panic");
                        // SAFETY: the machine's own bytes.
                        unsafe { table.map(machine, &items) }.expect("right")
                    };
                    {
                        let (machine, _) = &mut *both.lock().expect("no panic");
                        let at = mapping.arguments[0];
                        let count =
                            u32::from_ne_bytes(machine.read(at, 4).try_into().expect("four"));
                        machine.write(at, &(count + 1).to_ne_bytes());
                    }
                    let (machine, table) = &mut *both.lock().expect("no panic");
                    // SAFETY: as above.
                    unsafe { table.unmap(machine, mapping) };
                }
            });
        }
    });
    let (machine, table) = both.into_inner().expect("no panic");
    assert!(table.is_empty());
    assert_eq!(machine.blocks(), 0);
    let begin = u32::from_ne_bytes([0, 1, 2, 3]);
    let end = u32::from_ne_bytes(machine.read_host(HOST, 4).try_into().expect("four"));
    assert_eq!(end - begin, 8 * 500);
}
