//! The profile of a program whose two threads share their work badly, and the places of its code.

use omphalos_profile_format::{Message, RegionSiteTotal, module_flag, severity};
use omphalos_report::Analysis;

use super::{Recorder, region_total, state, thread_total};

pub const APP: u64 = 0x40_0000;
pub const RUNTIME: u64 = 0x7f00_0000_0000;
pub const MS: u64 = 1_000_000;
pub const SITE: u64 = APP + 0x201;
pub const BODY: u64 = APP + 0x300;

pub fn imbalanced() -> Analysis {
    let mut recorder = Recorder::new(&[
        (APP, 0x1000, "/nowhere/app", 0),
        (RUNTIME, 0x1000, "/nowhere/libsome.so", module_flag::RUNTIME),
    ]);
    for (thread, work, wait) in [(0, 300, 600), (1, 900, 0)] {
        recorder.thread(thread, 1 + thread);
        recorder.push(thread, thread_total(thread, work * MS, wait * MS));
    }
    let total = RegionSiteTotal {
        elapsed: 900 * MS,
        work: 1200 * MS,
        barrier_wait: 600 * MS,
        imbalance: 600 * MS,
        gain: 300 * MS,
        ..region_total(SITE, 1234)
    };
    recorder.push(0, total);
    recorder.fork(0, 1, 0, SITE, &[RUNTIME + 1, SITE, APP + 0x101]);
    for _ in 0..3 {
        recorder.sample(0, state::PARALLEL, 1, &[BODY, RUNTIME + 1, SITE, APP + 0x101]);
        recorder.sample(1, state::PARALLEL, 1, &[APP + 0x400, BODY + 1, RUNTIME + 9]);
    }
    recorder.sample(0, state::IMPLICIT_BARRIER, 1, &[RUNTIME + 7, RUNTIME + 1, SITE, APP + 0x101]);
    recorder.push(0, Message { severity: severity::WARNING, text: b"the timer was refused" });
    recorder.end(900 * MS);
    recorder.analyse()
}
