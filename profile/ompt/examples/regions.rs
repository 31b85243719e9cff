//! A tool that reports how often each parallel region was entered and how long it took. Build:
//! `cargo build --release -p omphalos-ompt --example regions`; then run any OpenMP program with
//! `OMP_TOOL_LIBRARIES=target/release/examples/libregions.so`.
use omphalos_ompt::{Events, ParallelBegin, ParallelEnd, Runtime, Tool, tool};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Instant;

struct Regions {
    start: Instant,
    sites: Mutex<BTreeMap<u64, (u64, u64)>>,
}

impl Tool for Regions {
    const EVENTS: Events = Events::PARALLEL_BEGIN.union(Events::PARALLEL_END);
    fn start(_: Runtime<'_>) -> Option<Self> {
        Some(Regions { start: Instant::now(), sites: Mutex::default() })
    }
    fn parallel_begin(&self, event: ParallelBegin<'_>) {
        event.region.set(self.start.elapsed().as_nanos() as u64);
    }
    fn parallel_end(&self, event: ParallelEnd<'_>) {
        let took = self.start.elapsed().as_nanos() as u64 - event.region.get();
        let mut sites = self.sites.lock().expect("no callback panics");
        let site = sites.entry(event.codeptr).or_default();
        *site = (site.0 + 1, site.1 + took);
    }
    fn end(&self) {
        for (codeptr, (times, ns)) in &*self.sites.lock().expect("no callback panics") {
            eprintln!("region at {codeptr:#x}: {times} times, {:.3} ms", *ns as f64 / 1e6);
        }
    }
}

tool!(Regions);
