//! Reads a target whose memory holds anything: no panic, no endless walk, bounded memory.
//!
//! The test copies the memory that a snapshot reads once, in the midst of a busy region. Then it
//! changes parts of the copy at random and asks everything of it. `TEST_CORRUPTIONS` says how often
//! (150 by default), and `TEST_SEED` selects another sequence of random numbers.

mod own;

use core::ffi::c_void;
use omphalos_ompd_view::icv::{self, Of};
use omphalos_ompd_view::{Fault, Registers, Runtime, Target};
use own::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ptr::without_provenance_mut;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

const PAGE: u64 = 4096;
/// Longer than any look takes on the slowest machine. A look with too high a bound takes longer.
const LONGEST: Duration = Duration::from_secs(20);

type Pages = BTreeMap<u64, Vec<u8>>;

/// Records the pages that are read.
struct Recorder(RefCell<Pages>);

impl Target for Recorder {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Fault> {
        Own.read(address, into)?;
        let (first, last) = (address / PAGE, (address + into.len() as u64 - 1) / PAGE);
        for page in first..=last {
            self.0.borrow_mut().entry(page).or_insert_with(|| {
                let mut bytes = vec![0; PAGE as usize];
                // A page that cannot be read as a whole stays zeros.
                let _ = Own.read(page * PAGE, &mut bytes);
                bytes
            });
        }
        Ok(())
    }
    fn symbol(&self, name: &str, library: Option<&str>) -> Result<u64, Fault> {
        Own.symbol(name, library)
    }
    fn threads(&self) -> Result<Vec<u32>, Fault> {
        Own.threads()
    }
    fn registers(&self, lwp: u32) -> Result<Registers, Fault> {
        Own.registers(lwp)
    }
}

/// A copy, and the address of the description in it.
struct Copy {
    pages: Pages,
    described: u64,
}

impl Target for Copy {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Fault> {
        let bytes = into.len();
        let unreadable = || Fault::Unreadable { address, bytes };
        address.checked_add(bytes as u64).ok_or_else(unreadable)?;
        let mut at = address;
        let mut rest = into;
        while !rest.is_empty() {
            let Some(page) = self.pages.get(&(at / PAGE)) else { return Err(unreadable()) };
            let from = (at % PAGE) as usize;
            let (part, behind) = rest.split_at_mut(rest.len().min(page.len() - from));
            part.copy_from_slice(&page[from..from + part.len()]);
            at = at.wrapping_add(part.len() as u64);
            rest = behind;
        }
        Ok(())
    }
    fn symbol(&self, name: &str, _library: Option<&str>) -> Result<u64, Fault> {
        if name == "omphalos_debug" { Ok(self.described) } else { Err(Fault::Unknown(name.into())) }
    }
    fn threads(&self) -> Result<Vec<u32>, Fault> {
        Ok(Vec::new())
    }
    fn registers(&self, _lwp: u32) -> Result<Registers, Fault> {
        Err(Fault::Gone)
    }
}

/// Random numbers (splitmix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.roll() % limit as u64) as usize
    }
}

/// Asks every question.
fn ask(runtime: &Runtime<'_>) {
    let snapshot = runtime.snapshot();
    assert!(snapshot.notes.len() <= 64 && snapshot.tasks.len() <= 1 << 21);
    let threads = runtime.threads().unwrap_or_default();
    for thread in threads.iter().take(16) {
        let _ =
            (thread.number(), thread.kind(), thread.state(), thread.waits(), thread.tool_data());
        let (team, task) = (thread.team(), thread.task());
        if let Ok(Some(team)) = team {
            let _ = (team.codeptr(), team.id(), team.tool_data(), team.league(), team.primary());
            for num in 0..4 {
                let _ = (team.thread(num).map(|t| t.address), team.task(num).map(|t| t.address));
            }
            icv::ALL.iter().for_each(|icv| _ = runtime.icv(icv, Of::Team(team)));
        }
        if let Ok(Some(task)) = task {
            let _ = (task.function(), task.id(), task.tool_data(), task.children());
            let _ = task.scheduling().map(|task| task.map(|task| task.address));
            icv::ALL.iter().for_each(|icv| _ = runtime.icv(icv, Of::Task(task)));
        }
        icv::ALL.iter().for_each(|icv| _ = runtime.icv(icv, Of::Thread(*thread)));
    }
    let _ = runtime.control_variables();
    let _ = runtime.thread_by_lwp(1);
}

/// A copy of the memory of a region with waits of many kinds.
fn copy() -> Copy {
    static RECORDED: AtomicBool = AtomicBool::new(false);
    unsafe extern "C" fn task(_data: *mut c_void) {
        until("nothing is recorded", || RECORDED.load(SeqCst));
    }
    let go_on = AtomicBool::new(false);
    let mut lock = 0u64;
    let lock = &raw mut lock as usize;
    let recorded = std::sync::Mutex::new(BTreeMap::new());
    // Member 3 stays in a loop in which others have left their parts.
    let loops = || {
        let (mut ends, mut first, mut last, mut step) = (0, 0, 0, 0);
        // The schedule is dynamic in any order: by ranges.
        let schedule = 1 << 30 | 35;
        // SAFETY: all members come to it; a location may be null.
        unsafe {
            let (location, num) = (core::ptr::null_mut(), omp_get_thread_num());
            __kmpc_dispatch_init_8(location, num, schedule, 0, 999, 1, 4);
            let (first, last) = (&raw mut first, &raw mut last);
            __kmpc_dispatch_next_8(location, num, &raw mut ends, first, last, &raw mut step);
        }
    };
    parallel(5, |num| {
        // SAFETY: a lock of zeros is a free one; tasks without data.
        unsafe {
            match num {
                0 => {
                    omp_set_lock(lock as *mut c_void);
                    let mut out =
                        [without_provenance_mut(1), without_provenance_mut(1), lock as *mut c_void];
                    for _ in 0..20 {
                        let depend = out.as_mut_ptr();
                        GOMP_task(
                            task,
                            core::ptr::null_mut(),
                            core::ptr::null(),
                            0,
                            1,
                            true,
                            8,
                            depend,
                            0,
                            core::ptr::null_mut(),
                        );
                    }
                    go_on.store(true, SeqCst);
                    let waits = |at: u32| {
                        let seen = Runtime::find(&Own).unwrap().snapshot();
                        seen.threads.iter().filter(|thread| thread.state == Some(at)).count() > 0
                    };
                    until("nobody waits", || waits(0x041) && waits(0x014));
                    let target = Recorder(RefCell::default());
                    ask(&Runtime::find(&target).unwrap());
                    *recorded.lock().unwrap() = target.0.into_inner();
                    RECORDED.store(true, SeqCst);
                    omp_unset_lock(lock as *mut c_void);
                    loops();
                    GOMP_loop_end_nowait();
                    GOMP_barrier();
                }
                1 => {
                    until("the lock is not taken", || go_on.load(SeqCst));
                    omp_set_lock(lock as *mut c_void);
                    omp_unset_lock(lock as *mut c_void);
                    loops();
                    GOMP_loop_end_nowait();
                    GOMP_barrier();
                }
                3 => {
                    loops();
                    until("nothing is recorded", || RECORDED.load(SeqCst));
                    GOMP_loop_end_nowait();
                    GOMP_barrier();
                }
                _ => {
                    until("the lock is not taken", || go_on.load(SeqCst));
                    loops();
                    GOMP_loop_end_nowait();
                    GOMP_barrier();
                }
            }
        }
    });
    let described = Own.symbol("omphalos_debug", None).unwrap();
    Copy { pages: recorded.into_inner().unwrap(), described }
}

/// The new value of a word.
fn another(dice: &mut Dice, pages: &Pages, keys: &[u64], old: u64) -> u64 {
    match dice.below(8) {
        0 => dice.roll(),
        1 => 0,
        2 => u64::MAX,
        3 => old ^ 1 << dice.below(64),
        4 => old.wrapping_add(dice.roll() % 4096),
        5 => dice.roll() % (1 << 20),
        // Any address that can be read, or any word of the copy: this makes circles.
        6 => keys[dice.below(keys.len())] * PAGE + dice.below(512) as u64 * 8,
        _ => {
            let page = &pages[&keys[dice.below(keys.len())]];
            let at = dice.below(512) * 8;
            u64::from_le_bytes(page[at..at + 8].try_into().unwrap())
        }
    }
}

#[test]
fn memory_that_makes_no_sense() {
    let mut copy = copy();
    let whole = Runtime::find(&copy).unwrap().snapshot();
    assert!(whole.threads.len() >= 5 && whole.tasks.len() >= 20, "{whole:#?}");
    let in_loop = whole.threads.iter().find_map(|thread| thread.in_loop.as_ref()).unwrap();
    assert_eq!((in_loop.iterations, in_loop.chunk), (1000, Some(4)));
    assert!(in_loop.left.is_some_and(|left| left < 1000), "{in_loop:?}");
    let keys: Vec<u64> = copy.pages.keys().copied().collect();
    // Words that are 0 are changed less often: nobody reads most of them.
    let words: Vec<(u64, usize)> = copy
        .pages
        .iter()
        .flat_map(|(&page, bytes)| (0..512).map(move |at| (page, at * 8, bytes)))
        .filter(|(_, at, bytes)| bytes[*at..at + 8] != [0; 8])
        .map(|(page, at, _)| (page, at))
        .collect();
    let given = |name: &str, usual: u64| std::env::var(name).map_or(usual, |n| n.parse().unwrap());
    let (times, mut dice) = (given("TEST_CORRUPTIONS", 150), Dice(given("TEST_SEED", 20)));
    let mut slowest = Duration::ZERO;
    for time in 0..times {
        let mut before = Vec::new();
        for _ in 0..1 + dice.below(8) {
            let (page, at) = match dice.below(4) {
                0 => (keys[dice.below(keys.len())], dice.below(512) * 8),
                _ => words[dice.below(words.len())],
            };
            let old = copy.pages[&page][at..at + 8].to_vec();
            let old_word = u64::from_le_bytes(old.as_slice().try_into().unwrap());
            let new = another(&mut dice, &copy.pages, &keys, old_word);
            copy.pages.get_mut(&page).unwrap()[at..at + 8].copy_from_slice(&new.to_le_bytes());
            before.push((page, at, old));
        }
        let start = Instant::now();
        if let Ok(runtime) = Runtime::find(&copy) {
            ask(&runtime);
        }
        slowest = slowest.max(start.elapsed());
        assert!(start.elapsed() < LONGEST, "{time}: {before:?}");
        for (page, at, old) in before.into_iter().rev() {
            copy.pages.get_mut(&page).unwrap()[at..at + 8].copy_from_slice(&old);
        }
    }
    println!("the slowest took {slowest:?}");
    assert_eq!(Runtime::find(&copy).unwrap().snapshot(), whole);
}
