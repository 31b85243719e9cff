use super::*;
use crate::accounting::region::open::Open;

fn values(table: &ConstructTable, codeptr: u64) -> [u64; site::COUNT] {
    let found: Vec<_> = table.iter().filter(|entry| entry.key()[1] == codeptr).collect();
    assert_eq!(found.len(), 1);
    found[0].read()
}

#[test]
fn the_barrier_behind_a_loop_is_the_loops() {
    let table = ConstructTable::new(16);
    let place = Place { table: &table, region: 7, level: 1, number: 0, open: None, instance: 1 };
    let mut constructs = Constructs::default();
    constructs.begin_work(place, WorkKind::LoopDynamic, 100, 12, 1000);
    assert_eq!([(); 3].map(|()| constructs.dispatch()), [true, false, false]);
    constructs.end(place, 110, 1500, true);
    constructs.begin_barrier(place, (SyncKind::ImplementationBarrier, 111), 40, 1500);
    constructs.end_barrier(place, SyncKind::ImplementationBarrier, 111, 50);
    constructs.begin_barrier(place, (SyncKind::WorkshareBarrier, 112), 50, 1510);
    constructs.end_barrier(place, SyncKind::WorkshareBarrier, 112, 90);
    constructs.begin_barrier(place, (SyncKind::ExplicitBarrier, 200), 90, 1600);
    constructs.end_barrier(place, SyncKind::ExplicitBarrier, 200, 95);
    let found = values(&table, 100);
    assert_eq!(found[..=site::END], [1, 1, 500, 3, 12, 12, 50, 110]);
    assert_eq!(values(&table, 200)[site::BARRIER], 5);
}

#[test]
fn a_single_without_an_end_lasts_to_the_next_barrier() {
    [true, false].into_iter().for_each(single_without_an_end);
}

fn single_without_an_end(tells: bool) {
    let table = ConstructTable::new(16);
    for (number, work) in [(0, WorkKind::SingleOther), (1, WorkKind::SingleExecutor)] {
        let place = Place { table: &table, region: 7, level: 1, number, open: None, instance: 1 };
        let mut constructs = Constructs::default();
        constructs.begin_work(place, work, 100, 1, 1000);
        // LLVM's runtime reports no end.
        if number == 0 || tells {
            constructs.end(place, 100, 1001, true);
        }
        constructs.begin_barrier(place, (SyncKind::ExplicitBarrier, 120), 0, 1300);
        constructs.end_barrier(place, SyncKind::ExplicitBarrier, 120, 10);
    }
    let found = values(&table, 100);
    assert_eq!((found[site::INSTANCES], found[site::ENTERED]), (1, 2));
    assert_eq!((found[site::OPEN], found[site::OPEN_BARRIER]), (300, 20));
    assert_eq!((found[site::OPEN_INSTANCES], found[site::AFTER]), (1, 120));
}

/// Short loops are counted, and some of them timed. A long loop among them is neither lost nor
/// taken for others.
#[test]
fn short_loops_are_counted_and_some_are_timed() {
    let table = ConstructTable::new(16);
    let place = Place { table: &table, region: 7, level: 1, number: 0, open: None, instance: 1 };
    let mut constructs = Constructs::default();
    let looks = core::cell::Cell::new(0);
    let mut now = 1000;
    let mut execute = |constructs: &mut Constructs, long: u64| {
        let work = WorkKind::LoopStatic;
        let time = 3 + long;
        if constructs.begin_short_work(place, work, (100, 8)) {
            assert!(constructs.dispatch() && constructs.end_short_work(place, 110, true));
        } else {
            looks.set(looks.get() + 2);
            constructs.begin_work(place, work, 100, 8, now);
            assert!(constructs.dispatch());
            constructs.end(place, 110, now + time, true);
        }
        now += time;
        constructs.worked(time);
        assert!(constructs.is_plain());
        let sync = SyncKind::WorkshareBarrier;
        assert!(constructs.is_known(sync, 120));
        constructs.begin_plain_barrier(place, sync, 0);
        constructs.end_plain_barrier(place, sync, 2);
        now += 2;
    };
    (0..1601).for_each(|_| execute(&mut constructs, 0));
    let found = values(&table, 100);
    assert_eq!(found[..=site::BARRIER], [1601, 1601, 3 * 1601, 1601, 12808, 12808, 3202]);
    // The first one is always timed.
    assert!((200..=202).contains(&looks.get()), "{looks:?}");
    (0..20).for_each(|_| execute(&mut constructs, 1_000_000));
    let time = values(&table, 100)[site::TIME];
    assert!((20_000_000..20_010_000).contains(&time), "{time}");
}

/// A reader finds the open construct of a thread whose region is open, or the wait behind it.
#[test]
fn what_is_open_is_shown() {
    let table = ConstructTable::new(16);
    let shown = Open::default();
    let open = Some(&shown);
    let place = Place { table: &table, region: 7, level: 1, number: 0, open, instance: 3 };
    let mut constructs = Constructs::default();
    let loop_kind = kind::WORK | WorkKind::LoopDynamic.number() as u32;
    let barrier_kind = kind::BARRIER | SyncKind::ExplicitBarrier.number() as u32;
    constructs.begin_work(place, WorkKind::LoopDynamic, 100, 12, 1000);
    assert_eq!(shown.read(3), Some((open::ENTERED, loop_kind, 100, 1000, 12)));
    // Nothing is open in another instance.
    assert_eq!(shown.read(4), None);
    constructs.end(place, 110, 1500, true);
    assert_eq!(shown.read(3), None);
    constructs.begin_barrier(place, (SyncKind::WorkshareBarrier, 112), 40, 1500);
    assert_eq!(shown.read(3).map(|open| (open.0, open.2, open.3)), Some((open::WAITS, 100, 40)));
    constructs.end_barrier(place, SyncKind::WorkshareBarrier, 112, 90);
    assert_eq!(shown.read(3), None);
    constructs.begin_barrier(place, (SyncKind::ExplicitBarrier, 200), 90, 1600);
    constructs.end_barrier(place, SyncKind::ExplicitBarrier, 200, 95);
    constructs.begin_barrier(place, (SyncKind::ExplicitBarrier, 210), 95, 1700);
    let waits = shown.read(3).map(|open| (open.0, open.1, open.2, open.3));
    assert_eq!(waits, Some((open::BARRIER, barrier_kind, 210, 95)));
    constructs.end_barrier(place, SyncKind::ExplicitBarrier, 210, 99);
    // This barrier may be the region's end.
    constructs.begin_barrier(place, (SyncKind::ParallelBarrier, 0), 99, 1800);
    assert_eq!(shown.read(3), None);
}

/// GCC's code does not report where a single ends.
#[test]
fn a_single_is_open_up_to_the_next_barrier() {
    let table = ConstructTable::new(16);
    let shown = Open::default();
    let open = Some(&shown);
    let place = Place { table: &table, region: 7, level: 1, number: 0, open, instance: 3 };
    let mut constructs = Constructs::default();
    constructs.begin_work(place, WorkKind::SingleExecutor, 100, 1, 1000);
    constructs.end(place, 100, 1001, true);
    assert_eq!(shown.read(3).map(|open| (open.0, open.2, open.3)), Some((open::SINGLE, 100, 1000)));
    constructs.begin_barrier(place, (SyncKind::ExplicitBarrier, 120), 5, 1300);
    assert_eq!(shown.read(3).map(|open| (open.0, open.4)), Some((open::WAITS_BEHIND, 120)));
}

/// The construct before a barrier decides what the barrier's callbacks cost.
#[test]
fn a_barrier_knows_what_it_is_behind() {
    let table = ConstructTable::new(16);
    let place = Place { table: &table, region: 7, level: 1, number: 0, open: None, instance: 1 };
    let mut constructs = Constructs::default();
    let at = |constructs: &mut Constructs, sync| {
        constructs.begin_barrier(place, (sync, 300), 0, 10);
        constructs.end_barrier(place, sync, 300, 0);
        constructs.behind()
    };
    let is = |behind, expected| assert!(behind == expected);
    is(at(&mut constructs, SyncKind::ExplicitBarrier), Behind::Other);
    constructs.begin_work(place, WorkKind::SingleExecutor, 100, 1, 1);
    constructs.end(place, 101, 2, true);
    is(at(&mut constructs, SyncKind::WorkshareBarrier), Behind::Single);
    constructs.begin_work(place, WorkKind::SingleExecutor, 100, 1, 1);
    constructs.end(place, 101, 2, true);
    is(at(&mut constructs, SyncKind::ImplementationBarrier), Behind::Combining);
    is(at(&mut constructs, SyncKind::ExplicitBarrier), Behind::Copies);
    constructs.begin_work(place, WorkKind::LoopStatic, 200, 1, 1);
    constructs.end(place, 201, 2, true);
    constructs.reduced(place, 250, 3, 4);
    is(at(&mut constructs, SyncKind::WorkshareBarrier), Behind::Combining);
    is(at(&mut constructs, SyncKind::ParallelBarrier), Behind::Other);
}
