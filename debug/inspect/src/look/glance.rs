//! The short look at a process: the function that each thread calls, and a print that shows whether
//! the thread goes on. `series.rs` takes such looks between two full ones. The runtime's state is
//! not read.

use omphalos_ompd_view::Fault;
use omphalos_ompd_view::asleep::mpi_function;
use omphalos_ompd_view::snapshot::{Awaits, Circle, Os, StaysIn, Thread};
use omphalos_why::words;

use super::{awaits, circles, code, in_turn, jumped, stacks, stays};
use crate::Way;
use crate::exports::Exports;
use crate::facts::still;
use crate::names::Named;
use crate::space::live::Live;
use crate::space::{Space, modules};
use crate::unwind::Unwinder;

/// The facts of a short look about a thread.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Glimpse {
    /// The thread.
    pub lwp: u32,
    /// The kernel's view of it.
    pub os: Option<Os>,
    /// The function that the program's innermost function calls.
    pub call: Option<String>,
    /// The program's innermost function, if the thread is in no function of MPI.
    pub outside_of_mpi: Option<String>,
    /// See [`Thread::print`]. A short look also makes the print of a thread that waits.
    pub print: u64,
    /// The loop that the thread is in and that only waits, if the caller asked about this thread.
    pub awaits: Option<Awaits>,
    /// The loop in whose rounds the thread meets other threads.
    pub round: Option<Awaits>,
    /// The loops around its place.
    pub stays_in: Vec<StaysIn>,
    /// The circle that its code walks.
    pub circle: Option<Circle>,
}

/// Looks at all threads. `awaiting`: the threads for which to find out which loops they are in.
pub fn glance(pid: u32, way: Way, awaiting: Vec<u32>) -> Result<Vec<Glimpse>, Fault> {
    in_turn(move || {
        let (live, ()) = Live::look(pid, way, |_| ())?;
        let modules = modules(live.mappings());
        let unwinder = Unwinder::new(live.as_target(), &modules);
        let mut stacks = stacks(&live, &unwinder);
        let counters = stacks.iter().flat_map(|stack| stack.raw.iter().map(|raw| raw.lookup));
        let named = Named::open(&live, &modules, counters, &mut Vec::new());
        let exports = Exports::default();
        for stack in &mut stacks {
            jumped::add(&live, &named, &exports, None, stack);
        }
        let seen = stacks.iter().map(|stack| {
            let lwp = stack.lwp;
            let thread = Thread { lwp, stack: named.frames(&stack.raw), ..Thread::default() };
            let print = still::print(&live, lwp, &stack.registers).unwrap_or(0);
            let ours = live.numbers().map_or(lwp, |numbers| numbers.ours(lwp));
            let is_asked = awaiting.contains(&ours);
            let ((awaits, round), stays_in) = match is_asked {
                true => (
                    awaits::find(&live, &unwinder, &named, stack),
                    stays::find(&live, &unwinder, &named, stack),
                ),
                false => ((None, None), Vec::new()),
            };
            let circle = || circles::find(&live, &unwinder, &named, stack);
            let circle = is_asked.then(circle).flatten();
            let (os, call) = (live.os(lwp).1, code::own_call(&named, &thread));
            let is_outside = !thread.stack.iter().any(|frame| mpi_function(frame).is_some());
            let own = words::inner_frame(&thread).filter(|_| is_outside);
            let outside_of_mpi = own.map(|frame| frame.function.to_string());
            Glimpse { lwp: ours, os, call, outside_of_mpi, print, awaits, round, stays_in, circle }
        });
        Ok(seen.collect())
    })
}
