//! The numbers of the events of 2013 and 2014. Both have one list, but 2014 inserted four events in
//! the middle. In this file an event has its number of 2014.
#![allow(non_upper_case_globals)]

use super::generation::Generation;
use super::tool::Delivery::{self, Always, Never, Sometimes};
use crate::compilers::Compiler;
use omphalos_abi::earlier::ompt2014::*;
use omphalos_events::Kind;

/// Returns the number in `generation` of an event of 2014; 0 if the generation lacks it.
#[inline(always)]
pub const fn number(generation: Generation, event: ompt_event_t) -> usize {
    if !matches!(generation, Generation::Y2013) {
        return event as usize;
    }
    match event {
        ompt_event_initial_task_begin
        | ompt_event_initial_task_end
        | ompt_event_workshare_begin
        | ompt_event_workshare_end => 0,
        event if event < ompt_event_initial_task_begin => event as usize,
        event if event < ompt_event_workshare_begin => event as usize - 2,
        event => event as usize - 4,
    }
}

/// Returns how often an event, given by its number in `generation`, is told; `None` if no event has
/// that number.
pub fn delivery(generation: Generation, event: usize) -> Option<Delivery> {
    let is_it = |&candidate: &ompt_event_t| event != 0 && number(generation, candidate) == event;
    let event = (1..=ompt_event_flush).find(is_it)?;
    Some(match event {
        ompt_event_parallel_begin => Always(Kind::ParallelBegin.bit()),
        ompt_event_parallel_end => Always(Kind::ParallelEnd.bit()),
        ompt_event_task_begin => Always(Kind::TaskCreate.bit()),
        ompt_event_task_end | ompt_event_task_switch => Always(Kind::TaskSchedule.bit()),
        ompt_event_thread_begin => Always(Kind::ThreadBegin.bit()),
        ompt_event_thread_end => Always(Kind::ThreadEnd.bit()),
        ompt_event_control => Always(Kind::Control.bit()),
        // No event of the engine causes it: the runtime's end calls this callback itself.
        ompt_event_runtime_shutdown => Always(0),
        ompt_event_idle_begin | ompt_event_idle_end => Always(Kind::Idle.bit()),
        ompt_event_wait_barrier_begin..=ompt_event_wait_taskgroup_end => {
            Always(Kind::SyncWait.bit() | Kind::WaitBreak.bit())
        }
        // Compilers emit instructions for most atomic constructs, and GCC also for master and
        // flush.
        ompt_event_release_atomic => Sometimes(Kind::MutexReleased.bit()),
        ompt_event_release_lock..=ompt_event_release_ordered => Always(Kind::MutexReleased.bit()),
        ompt_event_implicit_task_begin..=ompt_event_initial_task_end => {
            Always(Kind::ImplicitTask.bit())
        }
        // GCC computes the bounds of static loops in line. The runtime of 2014 nevertheless
        // answered "always", and its tools take any lesser answer for a missing event.
        ompt_event_loop_begin | ompt_event_loop_end => match generation {
            Generation::Y2013 => Sometimes(Kind::Work.bit()),
            _ => Always(Kind::Work.bit()),
        },
        // Compilers turn `workshare` into other constructs.
        ompt_event_workshare_begin | ompt_event_workshare_end => Never,
        ompt_event_sections_begin..=ompt_event_single_others_end => Always(Kind::Work.bit()),
        ompt_event_master_begin | ompt_event_master_end => Sometimes(Kind::Masked.bit()),
        ompt_event_barrier_begin..=ompt_event_taskgroup_end => Always(Kind::SyncRegion.bit()),
        ompt_event_release_nest_lock_prev | ompt_event_acquired_nest_lock_next => {
            Always(Kind::NestLock.bit())
        }
        ompt_event_wait_atomic => Sometimes(Kind::MutexWait.bit()),
        ompt_event_wait_lock..=ompt_event_wait_ordered => Always(Kind::MutexWait.bit()),
        ompt_event_acquired_atomic => Sometimes(Kind::MutexAcquired.bit()),
        ompt_event_acquired_lock..=ompt_event_acquired_ordered => Always(Kind::MutexAcquired.bit()),
        ompt_event_init_lock | ompt_event_init_nest_lock => Always(Kind::LockInit.bit()),
        ompt_event_destroy_lock | ompt_event_destroy_nest_lock => Always(Kind::LockDestroy.bit()),
        _ => Sometimes(Kind::Flush.bit()),
    })
}

/// Whether an event of 2013 may be told long after it happened. GCC's code makes no call at the end
/// of a `single`, so the end is told at the next barrier or construct.
pub fn is_late(event: usize) -> bool {
    event == number(Generation::Y2013, ompt_event_single_in_block_end) && Compiler::Gcc.is_here()
}

#[cfg(test)]
mod tests {
    use super::*;
    use omphalos_abi::earlier::ompt2013;

    /// Both lists name the same events at the same place, except a few words.
    #[test]
    fn the_numbers_of_2013_are_those_of_the_same_names() {
        let events = NUMBERS.iter().filter(|(name, _)| name.starts_with("ompt_event_"));
        let mut found = 0;
        for &(name, value) in events {
            let number = number(Generation::Y2013, value);
            if number == 0 {
                continue;
            }
            found += 1;
            let plain = |name: &str| {
                name.replace("_create", "_begin")
                    .replace("_exit", "_end")
                    .replace("section_", "sections_")
            };
            let (other, _) = ompt2013::NUMBERS[number - 1];
            assert_eq!(plain(name), plain(other));
        }
        assert_eq!(found, 57);
    }

    #[test]
    fn every_number_has_an_answer_and_no_other() {
        for (generation, last) in [(Generation::Y2013, 57), (Generation::Y2014, 61)] {
            assert!((1..=last).all(|event| delivery(generation, event).is_some()));
            assert!(delivery(generation, 0).is_none() && delivery(generation, last + 1).is_none());
        }
    }
}
