//! Recognises the generation that a tool speaks, by the names that it asked for and the events that
//! it registered.
//!
//! The rules are tried in the order of their certainty: names that only one generation has, then
//! event numbers, then combinations, then the default.

use omphalos_events::frames::FrameRule;

/// A generation of OMPT before 5.0.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generation {
    /// April 2013: global functions.
    Y2013 = 1,
    /// The technical report of 2014, as LLVM had it until 2017: ids, lookup.
    Y2014 = 2,
    /// June 2016, identifiers by value.
    Y2016Ids = 3,
    /// June 2016, identifiers by reference.
    Y2016Data = 4,
}

impl Generation {
    /// The words of `OMPHALOS_OMPT_DIALECT`.
    pub const NAMES: [(&'static str, Generation); 4] = [
        ("2013", Generation::Y2013),
        ("2014", Generation::Y2014),
        ("2016-ids", Generation::Y2016Ids),
        ("2016-data", Generation::Y2016Data),
    ];

    /// Returns the generation with this number in a tool's record; the latest one if there is no
    /// such number.
    pub fn from_number(number: u8) -> Generation {
        match number {
            1 => Generation::Y2013,
            2 => Generation::Y2014,
            3 => Generation::Y2016Ids,
            _ => Generation::Y2016Data,
        }
    }

    /// Returns the rule for the frames of tasks in the generation's text.
    pub fn frames(self) -> FrameRule {
        match self {
            Generation::Y2013 => FrameRule::KeptExits,
            Generation::Y2014 => FrameRule::Older,
            Generation::Y2016Ids | Generation::Y2016Data => FrameRule::Callers,
        }
    }

    /// Returns the generation's word in `OMPHALOS_OMPT_DIALECT`.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize - 1].0
    }
}

/// A trait: the tool asked for a name that only 2014 has.
pub const ONLY_2014: u8 = 1;
/// A trait: the tool asked for `ompt_get_thread_data`.
pub const THREAD_DATA: u8 = 2;
/// A trait: the tool asked for `ompt_get_thread_id`.
pub const THREAD_ID: u8 = 4;
/// A trait: the tool called the lookup function.
pub const LOOKUP: u8 = 8;
/// A trait: the tool asked for a name that only 2016 has.
pub const ONLY_2016: u8 = 16;

/// The highest event number of 2016.
const LAST_EVENT_OF_2016: usize = 27;

/// Returns the generation of a tool that was found by `ompt_tool`.
pub fn of_tool(asked: u8, highest_event: usize) -> Generation {
    // A tool of 2016 may try numbers that are no events of 2016.
    let has_later_number = highest_event > LAST_EVENT_OF_2016 && asked & ONLY_2016 == 0;
    if asked & ONLY_2014 != 0 || has_later_number {
        Generation::Y2014
    } else if asked & THREAD_DATA == 0 && asked & THREAD_ID != 0 {
        Generation::Y2016Ids
    } else {
        Generation::Y2016Data
    }
}

/// Returns the generation of a tool that was found by `ompt_initialize`.
pub fn of_early_tool(asked: u8) -> Generation {
    if asked & LOOKUP != 0 { Generation::Y2014 } else { Generation::Y2013 }
}

/// Returns the traits of a tool that asks for this name.
pub fn trait_of(name: &[u8]) -> u8 {
    LOOKUP
        | match name {
            b"ompt_get_parallel_id"
            | b"ompt_get_task_id"
            | b"ompt_get_task_frame"
            | b"ompt_get_parallel_team_size"
            | b"ompt_get_idle_frame"
            | b"ompt_enumerate_state"
            | b"ompt_idle"
            | b"ompt_overhead"
            | b"ompt_barrier_wait"
            | b"ompt_task_wait"
            | b"ompt_mutex_wait" => ONLY_2014,
            b"ompt_enumerate_states"
            | b"ompt_enumerate_mutex_kinds"
            | b"ompt_get_parallel_info"
            | b"ompt_get_task_info"
            | b"ompt_get_target_info"
            | b"ompt_get_num_devices"
            | b"ompt_target_get_device_info"
            | b"ompt_target_get_device_id" => ONLY_2016,
            b"ompt_get_thread_data" => THREAD_DATA,
            b"ompt_get_thread_id" => THREAD_ID,
            _ => 0,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recognised(names: &[&str], highest_event: usize) -> Generation {
        let asked = names.iter().fold(0, |all, name| all | trait_of(name.as_bytes()));
        of_tool(asked, highest_event)
    }

    #[test]
    fn names_and_numbers_tell() {
        use Generation::*;
        assert_eq!(recognised(&["ompt_set_callback"], 27), Y2016Data);
        assert_eq!(recognised(&["ompt_set_callback"], 28), Y2014);
        assert_eq!(recognised(&["ompt_get_task_info"], 28), Y2016Data);
        assert_eq!(recognised(&["ompt_get_task_info", "ompt_idle"], 5), Y2014);
        assert_eq!(recognised(&["ompt_get_thread_id", "ompt_get_task_frame"], 5), Y2014);
        assert_eq!(recognised(&["ompt_get_thread_id", "ompt_get_task_info"], 5), Y2016Ids);
        assert_eq!(recognised(&["ompt_get_thread_data", "ompt_get_task_info"], 5), Y2016Data);
        assert_eq!(recognised(&["ompt_get_thread_data", "ompt_get_thread_id"], 5), Y2016Data);
        assert_eq!(recognised(&[], 0), Y2016Data);
    }

    #[test]
    fn every_generation_has_a_number_and_a_word() {
        for (name, generation) in Generation::NAMES {
            assert_eq!(Generation::from_number(generation as u8), generation);
            assert_eq!(generation.name(), name);
        }
    }
}
