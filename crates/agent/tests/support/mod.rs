//! What the tests share: compile a C program, run it with the agent on LLVM's runtime, read the
//! record.
//!
//! The programs measure by themselves what the agent should find, so a busy machine changes both
//! alike: no test depends on how fast anything is.
#![allow(dead_code, unused_imports)]

mod best;

pub use best::{best, part};
use omphalos_profile_format::{
    ConstructTotal, Fork, Item, MutexSiteTotal, Reader, Record, RegionSiteTotal, Sample,
    TaskSiteSampling, TaskSiteTotal, ThreadSampling, ThreadScheduling, ThreadTotal,
};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of this test's own, removed at its end, and the runtime that programs find from it.
pub struct Scratch {
    pub folder: PathBuf,
    /// True where the runtime is Omphalos' own.
    pub own_runtime: bool,
}

impl Scratch {
    /// One for LLVM's runtime, and one for our own where `OMPHALOS_LIB` names its folder.
    pub fn each(name: &str) -> Vec<Scratch> {
        let llvm = ["/usr/lib/llvm-19/lib/libomp.so.5", "/usr/lib/x86_64-linux-gnu/libomp.so.5"];
        let llvm = llvm.iter().map(PathBuf::from).find(|path| path.exists());
        let llvm = llvm.expect("LLVM's runtime; apt-get install libomp-19-dev");
        let own = std::env::var_os("OMPHALOS_LIB").map(|folder| {
            PathBuf::from(folder).join("libomphalos.so").canonicalize().expect("our runtime")
        });
        let mut all = vec![Scratch::new(&format!("{name}-llvm"), &llvm, false)];
        all.extend(own.map(|own| Scratch::new(&format!("{name}-own"), &own, true)));
        all
    }

    fn new(name: &str, runtime: &Path, own_runtime: bool) -> Scratch {
        let folder = std::env::temp_dir().join(format!("omphalos-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let libraries = folder.join("runtime");
        std::fs::create_dir_all(&libraries).expect("a temporary folder");
        for name in ["libgomp.so.1", "libomp.so.5", "libomp.so"] {
            std::os::unix::fs::symlink(runtime, libraries.join(name)).expect("a link");
        }
        Scratch { folder, own_runtime }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The agent as built for this test run.
pub fn agent() -> PathBuf {
    let test = std::env::current_exe().expect("the test's own path");
    let deps = test.parent().expect("a folder");
    [deps.join("libomphalos_agent.so"), deps.join("../libomphalos_agent.so")]
        .into_iter()
        .filter(|path| path.exists())
        .max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok())
        .expect("libomphalos_agent.so beside the tests")
}

/// Compilers of the test programs; both programs run on LLVM's runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    Clang,
    Gcc,
}

/// Compiles `tests/programs/NAME.c`.
pub fn compile(scratch: &Scratch, name: &str, compiler: Compiler, flags: &[&str]) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/programs/{name}.c"));
    let out = scratch.path(name);
    let program = match compiler {
        Compiler::Clang => "clang-19",
        Compiler::Gcc => "gcc",
    };
    let output = Command::new(program)
        .args(["-g", "-O2", "-fopenmp", "-fomit-frame-pointer", "-o"])
        .arg(&out)
        .arg(source)
        .args(flags)
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}; apt-get install clang-19 gcc"));
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    out
}

/// A command that runs `program` with the agent, recording into `record`. Programs of GCC and of
/// clang find the runtime under the name that they look for.
pub fn profiled(scratch: &Scratch, program: &Path, record: &Path) -> Command {
    let libraries = scratch.path("runtime");
    let mut command = Command::new("timeout");
    command
        .args(["-s", "KILL", "60"])
        .arg("env")
        .arg(format!("LD_LIBRARY_PATH={}", libraries.display()))
        .arg(format!("LD_PRELOAD={}", agent().display()))
        .arg(format!("OMPHALOS_PROFILE_OUT={}", record.display()))
        .env_remove("OMP_NUM_THREADS")
        .env_remove("OMP_TOOL")
        .env_remove("OMP_TOOL_LIBRARIES")
        // The runtime's tool for races would take the agent's place where that fails.
        .env("OMPHALOS_PROFILE_HZ", "1000");
    command.arg(program);
    command
}

/// Runs a command that must succeed; its standard output.
pub fn run(command: &mut Command) -> String {
    let output = command.output().expect("a command that starts");
    check(&output);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn check(output: &Output) {
    assert!(
        output.status.success(),
        "{}\n{}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// `NAME VALUE` lines of a program's output.
pub fn figures(output: &str) -> HashMap<String, f64> {
    output
        .lines()
        .filter_map(|line| {
            let (name, value) = line.split_once(' ')?;
            Some((name.to_owned(), value.parse().ok()?))
        })
        .collect()
}

/// A mapped object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapped {
    pub base: u64,
    pub end: u64,
    pub path: String,
    pub flags: u32,
}

/// What a record file holds, the last of each total.
#[derive(Default)]
pub struct Recorded {
    pub pid: u32,
    pub samples: Vec<Sample>,
    pub forks: Vec<Fork>,
    pub stacks: HashMap<(u32, u64), Vec<u64>>,
    pub modules: Vec<Mapped>,
    pub threads: HashMap<u32, ThreadTotal>,
    pub regions: Vec<RegionSiteTotal>,
    pub mutexes: Vec<MutexSiteTotal>,
    pub tasks: Vec<TaskSiteTotal>,
    pub task_sampling: HashMap<u64, TaskSiteSampling>,
    pub thread_sampling: HashMap<u32, ThreadSampling>,
    /// Samples in calls, the call's name, and ns blocked.
    pub sample_calls: Vec<(Sample, String, u64)>,
    /// Ns blocked, by the region's address and the call's name.
    pub calls: HashMap<(u64, String), u64>,
    /// By region, construct and kind.
    pub constructs: HashMap<(u64, u64, u32), ConstructTotal>,
    pub scheduling: HashMap<u32, ThreadScheduling>,
    pub ended: bool,
    pub damage: usize,
    pub bad_records: usize,
}

/// Reads a record file.
pub fn read(path: &Path) -> Recorded {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut all = Recorded::default();
    for item in Reader::new(&bytes).expect("a record file") {
        let chunk = match item {
            Item::Chunk(chunk) => chunk,
            Item::Damage(_) => {
                all.damage += 1;
                continue;
            }
        };
        for record in chunk.records() {
            let Ok(record) = record else {
                all.bad_records += 1;
                continue;
            };
            all.take(chunk.thread, record);
        }
    }
    all
}

impl Recorded {
    fn take(&mut self, writer: u32, record: Record<'_>) {
        match record {
            Record::Process(process) => self.pid = process.pid,
            Record::Module(module) => self.modules.push(Mapped {
                base: module.base,
                end: module.end,
                path: String::from_utf8_lossy(module.path).into_owned(),
                flags: module.flags,
            }),
            Record::Stack(stack) => {
                self.stacks.insert((writer, stack.stack), stack.frames.iter().collect());
            }
            Record::Fork(fork) => self.forks.push(fork),
            Record::Sample(sample) => {
                assert_eq!(writer, sample.thread);
                self.samples.push(sample);
            }
            Record::ThreadTotal(total) => {
                self.threads.insert(total.thread, total);
            }
            Record::RegionSiteTotal(total) => {
                let key = |t: &RegionSiteTotal| (t.codeptr_ra, t.parent_codeptr, t.level);
                self.regions.retain(|known| key(known) != key(&total));
                self.regions.push(total);
            }
            Record::MutexSiteTotal(total) => {
                let key = |t: &MutexSiteTotal| (t.wait_id, t.mutex_kind, t.codeptr_ra);
                self.mutexes.retain(|known| key(known) != key(&total));
                self.mutexes.push(total);
            }
            Record::TaskSiteTotal(total) => {
                self.tasks.retain(|known| known.codeptr_ra != total.codeptr_ra);
                self.tasks.push(total);
            }
            Record::TaskSiteSampling(sampling) => {
                self.task_sampling.insert(sampling.codeptr_ra, sampling);
            }
            Record::ThreadSampling(sampling) => {
                self.thread_sampling.insert(sampling.thread, sampling);
            }
            Record::ConstructTotal(total) => {
                let key = (total.region_codeptr, total.codeptr_ra, total.construct_kind);
                self.constructs.insert(key, total);
            }
            Record::SampleCall(about) => {
                let sample = self.samples.last().expect("a sample before it");
                assert_eq!(sample.thread, about.thread);
                let name = String::from_utf8_lossy(about.call).into_owned();
                self.sample_calls.push((*sample, name, about.blocked));
            }
            Record::CallTotal(total) => {
                let name = String::from_utf8_lossy(total.call).into_owned();
                self.calls.insert((total.codeptr_ra, name), total.blocked);
            }
            Record::ThreadScheduling(scheduling) => {
                self.scheduling.insert(scheduling.thread, scheduling);
            }
            Record::End(_) => self.ended = true,
            _ => {}
        }
    }

    /// The frames of a sample, innermost first; the first address is exact.
    pub fn frames(&self, sample: &Sample) -> &[u64] {
        self.stacks.get(&(sample.thread, sample.stack)).map_or(&[], Vec::as_slice)
    }

    /// The base of the module whose path ends so.
    pub fn base(&self, ending: &str) -> u64 {
        self.modules.iter().find(|module| module.path.ends_with(ending)).expect("the module").base
    }

    /// The total of the thread with index 0.
    pub fn initial(&self) -> &ThreadTotal {
        &self.threads[&0]
    }
}

/// Functions of a program, by name: address range relative to its base.
pub struct Functions(Vec<(u64, u64, String)>);

impl Functions {
    /// Reads the program's symbol table.
    pub fn of(program: &Path) -> Functions {
        let output =
            Command::new("nm").args(["-S", "--defined-only"]).arg(program).output().expect("nm");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let parse = |line: &str| {
            let mut words = line.split_whitespace();
            let from = u64::from_str_radix(words.next()?, 16).ok()?;
            let size = u64::from_str_radix(words.next()?, 16).ok()?;
            words.next()?;
            Some((from, from + size, words.next()?.to_owned()))
        };
        Functions(text.lines().filter_map(parse).collect())
    }

    /// The function at an address relative to the program's base.
    pub fn at(&self, address: u64) -> Option<&str> {
        self.0
            .iter()
            .find(|(from, to, _)| (*from..*to).contains(&address))
            .map(|(_, _, name)| name.as_str())
    }

    /// The names along a sample's stack, innermost first; what is not in the program is left out.
    pub fn along(&self, recorded: &Recorded, base: u64, sample: &Sample) -> Vec<&str> {
        let frames = recorded.frames(sample).iter().enumerate();
        frames.filter_map(|(at, pc)| self.at((pc - u64::from(at > 0)).wrapping_sub(base))).collect()
    }
}

/// Asserts that two figures differ by at most `part` of the second.
#[track_caller]
pub fn close(found: f64, truth: f64, part: f64, what: &str) {
    assert!((found - truth).abs() <= truth.abs() * part, "{what}: {found} instead of {truth}");
}

/// The classes of a thread's total add up to its life.
#[track_caller]
pub fn classes_add_up(total: &ThreadTotal) {
    let sum = total.work
        + total.idle
        + total.barrier_wait
        + total.mutex_wait
        + total.task_wait
        + total.overhead
        + total.serial_work;
    assert!(sum.abs_diff(total.alive) <= 10, "{total:?}");
}
