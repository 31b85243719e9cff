use super::*;
use crate::accounting::Class::{TaskWait, Work};
use crate::accounting::table::Table;

fn tables() -> (TaskTable, MutexTable) {
    (Table::new(8), Table::new(8))
}

#[test]
fn an_untimed_stretch_is_split_as_the_timed_one_before() {
    let (tasks, mutexes) = tables();
    let account = Books::default();
    account.begin(Work, 0);
    account.pace().begin(4);
    // 30 of work, of which 20 in tasks, and 10 of waiting.
    account.switch(TaskWait, 30);
    account.switch(Work, 40);
    tasks.entry([1, 0, 0]).add(task_site::RECENT, 20);
    account.pace().begin_untimed(false);
    assert!(account.is_untimed());
    assert_eq!(account.counters_at(440).time(), 440);
    assert_eq!(account.counters_at(440).class(TaskWait), 110);
    assert!(!account.close_untimed(440, 0, &tasks, &mutexes));
    let counters = account.counters();
    assert_eq!((counters.class(Work), counters.class(TaskWait)), (330, 110));
    assert_eq!(counters.time(), 440);
    assert_eq!(counters.0[TASK_WORK], 200);
    assert_eq!(tasks.entry([1, 0, 0]).read()[task_site::WORK], 200);
    assert_eq!(account.untimed()[0], 400);
    // The time after that is certain, and is no part of later splits.
    account.settle_certain(1440);
    assert_eq!(account.counters().class(Work), 1330);
    assert_eq!(account.pace().total(), 40);
}

#[test]
fn tasks_have_no_more_than_there_is_of_work() {
    let (tasks, mutexes) = tables();
    let account = Books::default();
    account.begin(Work, 0);
    account.pace().begin(4);
    account.switch(TaskWait, 30);
    account.switch(Work, 40);
    // 36 in tasks of two sites, where work is 30.
    tasks.entry([1, 0, 0]).add(task_site::RECENT, 24);
    tasks.entry([2, 0, 0]).add(task_site::RECENT, 12);
    account.pace().begin_untimed(false);
    account.close_untimed(440, 0, &tasks, &mutexes);
    assert_eq!(account.counters().0[TASK_WORK], 300);
    assert_eq!(tasks.entry([1, 0, 0]).read()[task_site::WORK], 200);
    assert_eq!(tasks.entry([2, 0, 0]).read()[task_site::WORK], 100);
}

#[test]
fn idling_after_the_region_is_no_part_of_the_split() {
    let (tasks, mutexes) = tables();
    let account = Books::default();
    account.begin(Work, 0);
    account.pace().begin(4);
    account.settle(100);
    account.pace().begin_untimed(true);
    account.over.store(150, Relaxed);
    assert!(account.close_untimed(1000, 0, &tasks, &mutexes));
    let counters = account.counters();
    assert_eq!((counters.class(Work), counters.class(Class::Idle)), (150, 850));
}

/// Two kinds of tasks, one in three the longer one, faster than the quota can follow. Estimates
/// come near, within a few of the deviations that they are given.
#[test]
fn estimates_come_near() {
    let (tasks, mutexes) = tables();
    let account = Books::default();
    account.begin(Work, 0);
    account.pace().begin(64);
    let (mut now, mut seed, mut truth, mut tick) = (0u64, 1u64, [0u64; 2], 0);
    for _ in 0..200_000 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let kind = usize::from((seed >> 40).is_multiple_of(3));
        let length = [60, 200][kind] + (seed >> 50) % 64;
        now += length;
        truth[kind] += length;
        if !account.is_untimed() {
            account.settle(now);
            let entry = tasks.entry([kind as u64 + 1, 0, 0]);
            entry.add(task_site::WORK, length);
            entry.add(task_site::RECENT, length);
            if account.pace().spend() {
                account.pace().begin_untimed(false);
            }
        }
        if now > tick + 100_000 {
            tick = now;
            let untimed = account.is_untimed();
            account.pace().tick(64, &tasks, &mutexes);
            if untimed {
                account.close_untimed(now, 0, &tasks, &mutexes);
                account.pace().resume();
            }
        }
    }
    for (kind, truth) in truth.into_iter().enumerate() {
        let values = tasks.entry([kind as u64 + 1, 0, 0]).read();
        let found = values[task_site::WORK] as f64;
        let said = (values[task_site::SPREAD] as f64).sqrt() * f64::from(1 << SPREAD_SHIFT);
        let off = (found - truth as f64).abs();
        assert!(off < truth as f64 * 0.05, "{kind}: {found} instead of {truth}");
        assert!(off < 4.0 * said && said < truth as f64 * 0.05, "{kind}: {off}, said {said}");
    }
}

#[test]
fn what_is_rare_is_no_measure_of_what_is_fast() {
    let (tasks, mutexes) = tables();
    let account = Books::default();
    account.begin(Class::Serial, 0);
    account.pace().begin(4);
    // A lock in serial code, then a region, in which tasks come.
    account.settle(50_000);
    account.pace().tick(4, &tasks, &mutexes);
    account.pace().event(false);
    account.switch(Work, 90_000);
    account.pace().event(true);
    for step in 0..4 {
        account.settle(90_010 + step * 10);
        account.pace().spend();
    }
    account.pace().begin_untimed(false);
    account.close_untimed(190_040, 0, &tasks, &mutexes);
    let counters = account.counters();
    assert_eq!((counters.class(Class::Serial), counters.class(Work)), (90_000, 100_040));
}

#[test]
fn a_dear_callback_leaves_something_to_split_by() {
    let account = Books::default();
    account.begin(Work, 0);
    for event in 1..5 {
        account.settle(event * 100);
        account.pay(300);
    }
    assert!(account.pace().total() > 0);
}

#[test]
fn callbacks_of_an_untimed_stretch_take_nothing_of_later_work() {
    let (tasks, mutexes) = tables();
    let account = Books::default();
    account.begin(Work, 0);
    account.pace().begin(4);
    account.settle(40);
    account.pace().begin_untimed(false);
    account.pay(300);
    account.close_untimed(440, 0, &tasks, &mutexes);
    account.pace().resume();
    account.settle(1440);
    assert_eq!(account.counters().class(Work), 1440);
}
