//! The questions that a tool may ask the runtime: OMPT's entry points of the host.

mod machine;

use crate::attach::Attached;
use crate::callbacks::callback;
use crate::events::Events;
use crate::kinds::{Answer, State, TaskFlags};
use crate::word::{Frame, Word};
use core::ffi::{CStr, c_char, c_int};
use core::mem::transmute;
use core::sync::atomic::{AtomicPtr, Ordering::Acquire, Ordering::Release};
use omphalos_abi::ompt::*;

/// OMPT's answer about a level of regions or tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level<T> {
    /// The level exists, and this is the answer.
    Known(T),
    /// The level exists, but the runtime cannot tell about it at this moment.
    NotNow,
    /// There is no such level.
    None,
}

/// An enclosing region.
#[derive(Clone, Copy, Debug)]
pub struct RegionInfo<'a> {
    /// Its word.
    pub region: Word<'a>,
    /// The number of threads in its team.
    pub team_size: i32,
}

/// A task on the calling thread.
#[derive(Clone, Copy, Debug)]
pub struct TaskInfo<'a> {
    /// Its attributes.
    pub flags: TaskFlags,
    /// Its word.
    pub task: Word<'a>,
    /// Its frame.
    pub frame: Option<Frame>,
    /// The word of the region that it belongs to.
    pub region: Word<'a>,
    /// The number of the thread in that region's team.
    pub thread_num: i32,
}

/// The runtime that called the tool. A value without content: every method asks the runtime that
/// made the tool ready last. If the runtime lacks an entry point, or there is no runtime, the
/// method's comment says what it returns.
#[derive(Clone, Copy, Debug)]
pub struct Host(());

macro_rules! entry_points {
    ($($place:ident = $name:ident: $type:ty,)*) => {
        $(#[allow(non_upper_case_globals)]
        static $place: AtomicPtr<()> = AtomicPtr::new(core::ptr::null_mut());)*

        impl Host {
            /// # Safety
            /// `lookup` must be the runtime's.
            pub(crate) unsafe fn new(lookup: ompt_function_lookup_t) -> Host {
                $(
                    const { assert!(!stringify!($name).is_empty()) };
                    // SAFETY: a C string; the runtime's own function.
                    let found = unsafe { lookup(concat!(stringify!($name), "\0").as_ptr().cast()) };
                    let found = found.map_or(core::ptr::null_mut(), |found| found as *mut ());
                    $place.store(found, Release);
                )*
                Host(())
            }
        }

        $(#[allow(non_snake_case)]
        #[inline]
        fn $name() -> Option<$type> {
            let found = $place.load(Acquire);
            // SAFETY: what the runtime gave for this name has this type.
            (!found.is_null()).then(|| unsafe { transmute::<*mut (), $type>(found) })
        })*
    };
}

entry_points! {
    SET_CALLBACK = ompt_set_callback: ompt_set_callback_t,
    GET_CALLBACK = ompt_get_callback: ompt_get_callback_t,
    UNIQUE_ID = ompt_get_unique_id: ompt_get_unique_id_t,
    STATES = ompt_enumerate_states: ompt_enumerate_states_t,
    MUTEX_IMPLS = ompt_enumerate_mutex_impls: ompt_enumerate_mutex_impls_t,
    THREAD_DATA = ompt_get_thread_data: ompt_get_thread_data_t,
    NUM_PROCS = ompt_get_num_procs: ompt_get_num_procs_t,
    NUM_PLACES = ompt_get_num_places: ompt_get_num_places_t,
    PLACE_PROC_IDS = ompt_get_place_proc_ids: ompt_get_place_proc_ids_t,
    PLACE_NUM = ompt_get_place_num: ompt_get_place_num_t,
    PARTITION = ompt_get_partition_place_nums: ompt_get_partition_place_nums_t,
    PROC_ID = ompt_get_proc_id: ompt_get_proc_id_t,
    STATE = ompt_get_state: ompt_get_state_t,
    PARALLEL_INFO = ompt_get_parallel_info: ompt_get_parallel_info_t,
    TASK_INFO = ompt_get_task_info: ompt_get_task_info_t,
    TASK_MEMORY = ompt_get_task_memory: ompt_get_task_memory_t,
    NUM_DEVICES = ompt_get_num_devices: ompt_get_num_devices_t,
    TARGET_INFO = ompt_get_target_info: ompt_get_target_info_t,
    FINALIZE_TOOL = ompt_finalize_tool: ompt_finalize_tool_t,
    QUIET_COUNTS = omphalos_quiet_counts: omphalos_quiet_counts_t,
    SUMS = omphalos_sums: omphalos_sums_fn_t,
    SUMMED = omphalos_summed: omphalos_summed_t,
    WISH = omphalos_wish: omphalos_wish_t,
}

impl Host {
    /// The runtime that made the tool ready last; usable before that too, for signal handlers that
    /// may come early.
    pub const fn get() -> Host {
        Host(())
    }

    /// Asks for more events, and returns the runtime's answer to each. Not async-signal-safe.
    pub fn attach_events<T: Attached>(self, _tool: &T, events: Events) -> Vec<(Events, Answer)> {
        let answer = |number| self.set_callback(number, callback::<T>(number));
        events
            .numbers()
            .map(|number| {
                let mut given = Answer::from(answer(number));
                if matches!(given, Answer::Error | Answer::Never)
                    && let Some(older) = Events::before_5_1(number)
                {
                    given = Answer::from(answer(older));
                }
                (Events::from_bits_retain(1 << number), given)
            })
            .collect()
    }

    /// Gives events up: the tool is not called at them any more, except for calls that are on their
    /// way. Not async-signal-safe.
    pub fn ignore(self, events: Events) {
        for number in events.numbers() {
            self.set_callback(number, None);
            if let Some(older) = Events::before_5_1(number) {
                self.set_callback(older, None);
            }
        }
    }

    /// Returns the events that the tool is registered for, by the runtime's answer.
    pub fn registered(self) -> Events {
        let is_there = |number| {
            let mut function = None;
            let Some(ask) = ompt_get_callback() else { return false };
            // SAFETY: the pointer is valid for the call.
            unsafe { ask(number, &mut function) == 1 && function.is_some() }
        };
        let mut events = Events::empty();
        for number in Events::all().numbers() {
            if is_there(number) || Events::before_5_1(number).is_some_and(is_there) {
                events |= Events::from_bits_retain(1 << number);
            }
        }
        events
    }

    fn set_callback(
        self,
        event: ompt_callbacks_t,
        callback: Option<ompt_callback_t>,
    ) -> ompt_set_result_t {
        // SAFETY: the callback has the type that the event's number says.
        ompt_set_callback().map_or(ompt_set_error, |set| unsafe { set(event, callback) })
    }

    /// A number that no other call returns; 0 without a runtime. Async-signal-safe.
    pub fn unique_id(self) -> u64 {
        // SAFETY: no arguments.
        ompt_get_unique_id().map_or(0, |ask| unsafe { ask() })
    }

    /// The calling thread's state and, where it waits for a mutex, its wait id.
    /// [`State::Undefined`] where the runtime does not know the thread. Async-signal-safe.
    #[inline]
    pub fn state(self) -> (State, u64) {
        self.try_state().unwrap_or((State::Undefined, 0))
    }

    /// As [`Host::state`]; `None` where there is no runtime yet. Async-signal-safe.
    #[inline]
    pub fn try_state(self) -> Option<(State, u64)> {
        let ask = ompt_get_state()?;
        let mut wait_id = 0;
        // SAFETY: the pointer is valid for the call.
        let state = unsafe { ask(&mut wait_id) };
        let waits = state & 0xffc0 == ompt_state_wait_mutex;
        Some((State::from(state), if waits { wait_id } else { 0 }))
    }

    /// Runs `with` on the calling thread's word; `None` where the runtime does not know the thread.
    /// Async-signal-safe as far as `with` is.
    pub fn thread<R>(self, with: impl FnOnce(Word<'_>) -> R) -> Option<R> {
        // SAFETY: no arguments; the word is the calling thread's own, good while it is here.
        unsafe {
            let data = ompt_get_thread_data()?();
            (!data.is_null()).then(|| with(Word::new(data)))
        }
    }

    /// Runs `with` on the region `level` levels out, 0 = the innermost. Async-signal-safe as far as
    /// `with` is.
    pub fn parallel<R>(self, level: i32, with: impl FnOnce(RegionInfo<'_>) -> R) -> Level<R> {
        let Some(ask) = ompt_get_parallel_info() else { return Level::None };
        let (mut data, mut team_size) = (core::ptr::null_mut(), 0);
        // SAFETY: the pointers are valid for the call; the word is good while the thread is here.
        unsafe {
            match ask(level, &mut data, &mut team_size) {
                2 => Level::Known(with(RegionInfo { region: Word::new(data), team_size })),
                1 => Level::NotNow,
                _ => Level::None,
            }
        }
    }

    /// Runs `with` on the task `level` levels out, 0 = the current one. Async-signal-safe as far as
    /// `with` is.
    pub fn task<R>(self, level: i32, with: impl FnOnce(TaskInfo<'_>) -> R) -> Level<R> {
        let Some(ask) = ompt_get_task_info() else { return Level::None };
        let (mut flags, mut thread_num) = (0, 0);
        let (mut task, mut region) = (core::ptr::null_mut(), core::ptr::null_mut());
        let mut frame: *mut ompt_frame_t = core::ptr::null_mut();
        // SAFETY: the pointers are valid for the call; words and frame are good while the thread
        // is here.
        unsafe {
            match ask(level, &mut flags, &mut task, &mut frame, &mut region, &mut thread_num) {
                2 => Level::Known(with(TaskInfo {
                    flags: TaskFlags::from(flags),
                    task: Word::new(task),
                    frame: Frame::read(frame),
                    region: Word::new(region),
                    thread_num,
                })),
                1 => Level::NotNow,
                _ => Level::None,
            }
        }
    }

    /// Returns the place where the calling thread's tasks are counted while the tool wants to be
    /// told of none: an extension of Omphalos' runtime. `None` where the runtime has none, or does
    /// not know the thread. Only the thread and its signal handlers may write there; it is never
    /// freed.
    pub fn quiet_counts(self) -> Option<&'static omphalos_quiet_t> {
        let ask = omphalos_quiet_counts()?;
        // SAFETY: null, or in records that the runtime never frees.
        unsafe { ask().as_ref() }
    }

    /// Returns the place where the calling thread's short regions are added up while the tool wants
    /// to be told of none: an extension of Omphalos' runtime, like [`Host::quiet_counts`].
    pub fn sums(self) -> Option<&'static omphalos_sums_t> {
        let ask = omphalos_sums()?;
        // SAFETY: null, or in records that the runtime never frees.
        unsafe { ask().as_ref() }
    }

    /// Returns the tool's word of the site of the calling thread's region, if that region is added
    /// up and not told, and the thread's number there. Async-signal-safe.
    pub fn summed(self) -> Option<(u64, u32)> {
        let mut number = 0;
        // SAFETY: the pointer is valid for the call.
        let word = unsafe { omphalos_summed()?(&mut number) };
        (word != 0).then_some((word, number))
    }

    /// Asks for something beyond OpenMP, of those in [`wishes`](crate::wishes): an extension of
    /// Omphalos' runtime. Returns the granted wishes: none by other runtimes.
    pub fn wish(self, wishes: u32) -> u32 {
        // SAFETY: no pointers.
        omphalos_wish().map_or(0, |ask| unsafe { ask(wishes) })
    }

    /// Address and size of a block of the current task's data, and whether there are more.
    /// Async-signal-safe.
    pub fn task_memory(self, block: i32) -> Option<(usize, usize, bool)> {
        let ask = ompt_get_task_memory()?;
        let (mut address, mut size) = (core::ptr::null_mut(), 0);
        // SAFETY: the pointers are valid for the call.
        let more = unsafe { ask(&mut address, &mut size, block) } != 0;
        (!address.is_null()).then_some((address.addr(), size, more))
    }

    /// Returns the target construct that the calling thread executes: its device, its number and
    /// that of the operation; `None` outside. Async-signal-safe.
    pub fn target_info(self) -> Option<(u64, u64, u64)> {
        let ask = ompt_get_target_info()?;
        let (mut device, mut target, mut operation) = (0, 0, 0);
        // SAFETY: the pointers are valid for the call.
        let inside = unsafe { ask(&mut device, &mut target, &mut operation) } == 1;
        inside.then_some((device, target, operation))
    }

    /// Ends the tool as if the program ended.
    pub fn finalize_tool(self) {
        if let Some(ask) = ompt_finalize_tool() {
            // SAFETY: no arguments.
            unsafe { ask() }
        }
    }
}
