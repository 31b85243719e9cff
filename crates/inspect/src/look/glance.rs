//! A short look: what the threads are calling, and whether they change anything. The runtime's
//! state is not read.

use omphalos_ompd_view::Fault;
use omphalos_ompd_view::snapshot::Thread;

use super::{code, in_turn, stacks};
use crate::Way;
use crate::facts::still;
use crate::names::Named;
use crate::space::live::Live;
use crate::space::{Space, modules};

/// What is seen of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Glimpse {
    /// The thread.
    pub lwp: u32,
    /// What the program's innermost function is calling.
    pub call: Option<String>,
    /// See [`Thread::print`]; also that of a thread that waits.
    pub print: u64,
}

/// Looks at all threads.
pub fn glance(pid: u32, way: Way) -> Result<Vec<Glimpse>, Fault> {
    in_turn(move || {
        let (live, ()) = Live::look(pid, way, |_| ())?;
        let modules = modules(live.mappings());
        let stacks = stacks(&live, &modules);
        let counters = stacks.iter().flat_map(|stack| stack.raw.iter().map(|raw| raw.lookup));
        let named = Named::open(&live, &modules, counters, &mut Vec::new());
        let seen = stacks.iter().map(|stack| {
            let lwp = stack.lwp;
            let thread = Thread { lwp, stack: named.frames(&stack.raw), ..Thread::default() };
            let print = still::print(&live, lwp, &stack.registers).unwrap_or(0);
            Glimpse { lwp, call: code::own_call(&named, &thread), print }
        });
        Ok(seen.collect())
    })
}
