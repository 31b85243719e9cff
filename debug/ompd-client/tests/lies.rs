//! Asks our libompd.so with callbacks that lie: memory that cannot be read, that has other
//! contents, that leads in circles. No crash, no endless walk, bounded answers. `TEST_LIES` says
//! how many programs are looked at (60 by default); `TEST_SEED` selects another sequence of random
//! numbers. `OMPHALOS_LIB` names the libraries' folder (`target/dist/lib` by default).

use core::ffi::{c_int, c_uint, c_void};
use std::cell::{Cell, RefCell};
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use omphalos_ompd_client::{Library, Subject, snapshot};
use omphalos_ompd_view::{Fault, Registers, Target};

/// Longer than any look takes on the slowest machine. A look with too high a bound takes longer.
const LONGEST: Duration = Duration::from_secs(20);

fn folder() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/dist/lib");
    std::env::var_os("OMPHALOS_LIB").map_or_else(beside, PathBuf::from)
}

fn look_up(name: &str) -> Option<usize> {
    static LIBRARY: OnceLock<usize> = OnceLock::new();
    let library = *LIBRARY.get_or_init(|| {
        let path = folder().join("libomphalos.so").into_os_string().into_encoded_bytes();
        let path = CString::new(path).unwrap();
        // SAFETY: a library whose constructor starts nothing.
        let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
        assert!(!library.is_null(), "{path:?} is not there: cargo xtask dist");
        library as usize
    });
    let name = CString::new(name).ok()?;
    // SAFETY: a library that stays loaded, and a name.
    let found = unsafe { libc::dlsym(library as *mut c_void, name.as_ptr()) };
    (!found.is_null()).then_some(found as usize)
}

/// Random numbers (splitmix64).
struct Dice(Cell<u64>);

impl Dice {
    fn roll(&self) -> u64 {
        self.0.set(self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15));
        let mut x = self.0.get();
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }
}

/// This process, with lies: one read in `one_in` gives a wrong answer.
struct Liar<'a> {
    dice: &'a Dice,
    one_in: u64,
    /// Words that were read earlier: the material of circles.
    seen: RefCell<Vec<u64>>,
}

impl Target for Liar<'_> {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Fault> {
        let bytes = into.len();
        let local = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: bytes };
        let remote = libc::iovec { iov_base: address as *mut c_void, iov_len: bytes };
        // SAFETY: the local part is the caller's slice; the kernel checks the other one.
        let read = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
        if read != bytes as isize {
            return Err(Fault::Unreadable { address, bytes });
        }
        let mut seen = self.seen.borrow_mut();
        if self.one_in > 0 && self.dice.roll().is_multiple_of(self.one_in) {
            let old = seen.get(self.dice.roll() as usize % seen.len().max(1)).copied();
            let lie = match self.dice.roll() % 6 {
                0 => return Err(Fault::Unreadable { address, bytes }),
                1 => 0,
                2 => u64::MAX,
                3 => self.dice.roll(),
                _ => old.unwrap_or(1),
            };
            into.iter_mut()
                .zip(lie.to_le_bytes().into_iter().cycle())
                .for_each(|(to, it)| *to = it);
        } else if bytes == 8 && seen.len() < 4096 {
            seen.push(u64::from_le_bytes(into.try_into().unwrap()));
        }
        Ok(())
    }

    fn symbol(&self, name: &str, _library: Option<&str>) -> Result<u64, Fault> {
        self.variable(name, None)
    }

    fn threads(&self) -> Result<Vec<u32>, Fault> {
        let all = std::fs::read_dir("/proc/self/task").unwrap();
        Ok(all.flatten().filter_map(|one| one.file_name().to_str()?.parse().ok()).collect())
    }

    fn registers(&self, lwp: u32) -> Result<Registers, Fault> {
        Err(Fault::Unknown(format!("registers of {lwp}")))
    }
}

impl Subject for Liar<'_> {
    fn variable(&self, name: &str, _lwp: Option<u32>) -> Result<u64, Fault> {
        look_up(name).map(|it| it as u64).ok_or_else(|| Fault::Unknown(format!("symbol {name}")))
    }
}

/// The primary thread asks; the others wait at the second barrier, or are on their way there.
unsafe extern "C" fn body(_data: *mut c_void) {
    // SAFETY: the routines' types.
    let (own, barrier) = unsafe {
        let own = core::mem::transmute::<usize, unsafe extern "C" fn() -> c_int>(
            look_up("omp_get_thread_num").unwrap(),
        );
        let barrier = look_up("GOMP_barrier").unwrap();
        (own, core::mem::transmute::<usize, unsafe extern "C" fn()>(barrier))
    };
    // SAFETY: without arguments. The others have begun once all met here.
    unsafe { barrier() };
    // SAFETY: as above.
    if unsafe { own() } == 0 {
        ask();
    }
    // SAFETY: as above.
    unsafe { barrier() };
}

fn ask() {
    let given = |name: &str, usual: u64| std::env::var(name).map_or(usual, |n| n.parse().unwrap());
    let dice = Dice(Cell::new(given("TEST_SEED", 7)));
    let library = Library::open(&folder().join("libompd.so")).unwrap();
    let honest = || Liar { dice: &dice, one_in: 0, seen: RefCell::default() };
    let whole = snapshot(&library, &honest()).unwrap();
    assert_eq!(whole.threads.len(), 4, "{whole:#?}");
    assert!(whole.teams.iter().any(|team| team.size == 4), "{whole:#?}");
    let mut answers = 0;
    for time in 0..given("TEST_LIES", 60) {
        let liar = Liar { one_in: [3, 30, 300, 3000][time as usize % 4], ..honest() };
        let start = Instant::now();
        let seen = snapshot(&library, &liar);
        assert!(start.elapsed() < LONGEST, "{time}: {:?}", start.elapsed());
        if let Ok(seen) = seen {
            assert!(seen.threads.len() <= 64 && seen.teams.len() <= 4096, "{time}: {seen:#?}");
            answers += 1;
        }
    }
    println!("{answers} answers");
    let after = snapshot(&library, &honest()).unwrap();
    assert_eq!(after.threads.len(), whole.threads.len());
}

#[test]
fn a_debugger_that_lies_gets_an_answer_or_a_code() {
    type Parallel =
        unsafe extern "C" fn(unsafe extern "C" fn(*mut c_void), *mut c_void, c_uint, c_uint);
    let parallel = look_up("GOMP_parallel").unwrap();
    // SAFETY: the routine's type; the body takes no data.
    unsafe {
        let parallel = core::mem::transmute::<usize, Parallel>(parallel);
        parallel(body, core::ptr::null_mut(), 4, 0);
    }
}
