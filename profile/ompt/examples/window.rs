//! A tool that is told of parallel regions only while the program wants it: from
//! `omp_control_tool(1, ..)` (start) to `omp_control_tool(2, ..)` (pause) or `(4, ..)` (end).
//! Outside it costs nothing.
use core::ffi::c_int;
use omphalos_ompt::{ControlTool, Events, Host, ParallelBegin, Runtime, Tool, tool};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[derive(Default)]
struct Window(AtomicU64);

impl Tool for Window {
    const EVENTS: Events = Events::CONTROL_TOOL;
    fn start(_: Runtime<'_>) -> Option<Self> {
        Some(Window::default())
    }
    fn control_tool(&self, event: ControlTool<'_>) -> c_int {
        match event.command {
            1 => drop(Host::get().attach_events(self, Events::PARALLEL_BEGIN)),
            2 | 4 => Host::get().ignore(Events::PARALLEL_BEGIN),
            _ => return 1,
        }
        0
    }
    fn parallel_begin(&self, _event: ParallelBegin<'_>) {
        self.0.fetch_add(1, Relaxed);
    }
    fn end(&self) {
        let left = Host::get().registered();
        eprintln!("regions in the window: {}; at the end {left:?}", self.0.load(Relaxed));
    }
}

tool!(Window);
