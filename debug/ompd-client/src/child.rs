//! Runs the library in a process of its own. That process has no target, only two pipes, and may
//! crash or hang without harm.

use std::cell::RefCell;
use std::io::{ErrorKind, Read, stdin, stdout};
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use omphalos_ompd_view::snapshot::Snapshot;
use omphalos_ompd_view::{Fault, Registers, Target};

use crate::wire::{self, Say, number};
use crate::{LARGEST, Library, Subject};

/// The time that a library has to load.
const LOADS: Duration = Duration::from_secs(10);
/// The time that it has to answer: the target may stand still meanwhile.
const ANSWERS: Duration = Duration::from_secs(2);
/// Limits of the process: memory in bytes, CPU time in seconds.
const MEMORY: u64 = 4 << 30;
const SECONDS: u64 = 20;

/// A process that has loaded a library and waits to be asked.
pub struct Asker {
    child: Child,
    input: ChildStdin,
    output: Deadline,
}

impl Drop for Asker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Asker {
    /// Starts `command`, which must call [`serve`], and waits until the library is loaded.
    pub fn start(mut command: Command) -> Result<Asker, Fault> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let not = |what: String| Fault::Unknown(format!("process for libompd: {what}"));
        let mut child = command.spawn().map_err(|error| not(error.to_string()))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err(not("no pipes".into()));
        };
        let until = Instant::now() + LOADS;
        let mut asker = Asker { child, input, output: Deadline { output, until } };
        match asker.hear()? {
            Say::Ready => Ok(asker),
            Say::Failed(why) => Err(Fault::Unknown(why)),
            _ => Err(Fault::Nonsense("what the process for libompd says".into())),
        }
    }

    /// Returns everything that the library tells about `subject`.
    pub fn ask_library(&mut self, subject: &dyn Subject) -> Result<Snapshot, Fault> {
        self.output.until = Instant::now() + ANSWERS;
        self.answer(&[])?;
        loop {
            match self.hear()? {
                Say::Read(address, bytes) if u64::from(bytes) <= LARGEST => {
                    let mut into = vec![0; bytes as usize];
                    match subject.read(address, &mut into) {
                        Ok(()) => self.answer(&[&[1], &into])?,
                        Err(_) => self.answer(&[&[0]])?,
                    }
                }
                Say::Variable(lwp, name) => {
                    match subject.variable(&name, Some(lwp).filter(|lwp| *lwp != 0)) {
                        Ok(address) => self.answer(&[&[1], &address.to_le_bytes()])?,
                        Err(_) => self.answer(&[&[0]])?,
                    }
                }
                Say::Threads => {
                    let mut all = vec![1];
                    for lwp in subject.threads()? {
                        let own = subject.registers(lwp).map_or(0, |known| known.fs_base);
                        all.extend(lwp.to_le_bytes());
                        all.extend(own.to_le_bytes());
                    }
                    self.answer(&[&all])?;
                }
                Say::Done(all) => {
                    return serde_json::from_slice(&all)
                        .map_err(|error| Fault::Nonsense(format!("libompd's answer: {error}")));
                }
                Say::Failed(why) => return Err(Fault::Unknown(why)),
                Say::Ready | Say::Read(..) => {
                    return Err(Fault::Nonsense("what the process for libompd says".into()));
                }
            }
        }
    }

    fn hear(&mut self) -> Result<Say, Fault> {
        let message = wire::receive(&mut self.output).map_err(|error| self.ended(&error))?;
        wire::understood(&message)
            .ok_or_else(|| Fault::Nonsense("what the process for libompd says".into()))
    }

    fn answer(&mut self, parts: &[&[u8]]) -> Result<(), Fault> {
        wire::send(&mut self.input, parts).map_err(|error| self.ended(&error))
    }

    fn ended(&mut self, error: &std::io::Error) -> Fault {
        match error.kind() {
            ErrorKind::TimedOut => return Fault::Unknown("answer of libompd's in time".to_owned()),
            ErrorKind::InvalidData => {
                return Fault::Nonsense("what the process for libompd says".into());
            }
            _ => {}
        }
        let _ = self.child.kill();
        let status = self.child.wait().map_or_else(|error| error.to_string(), |it| it.to_string());
        Fault::Unknown(format!("answer of libompd's: its process ended ({status})"))
    }
}

/// A pipe that is read until a point in time.
struct Deadline {
    output: ChildStdout,
    until: Instant,
}

impl Read for Deadline {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        let descriptor = self.output.as_raw_fd();
        let mut one = libc::pollfd { fd: descriptor, events: libc::POLLIN, revents: 0 };
        // SAFETY: one descriptor.
        match unsafe { libc::poll(&mut one, 1, left.as_millis() as libc::c_int) } {
            0 => Err(ErrorKind::TimedOut.into()),
            _ => self.output.read(into),
        }
    }
}

/// The other side: loads the library and asks it. The target is at the other end of standard input
/// and output.
pub fn serve(library: &Path) -> std::io::Result<()> {
    confine();
    let mut out = stdout().lock();
    let library = match Library::open(library) {
        Ok(library) => library,
        Err(fault) => return wire::say(&mut out, &Say::Failed(plainly(&fault))),
    };
    wire::say(&mut out, &Say::Ready)?;
    drop(out);
    loop {
        // An empty message begins a round; the end of the pipe is the end.
        if wire::receive(&mut stdin().lock()).is_err() {
            return Ok(());
        }
        let far = Far::default();
        let said = match crate::snapshot(&library, &far) {
            Ok(snapshot) => Say::Done(serde_json::to_vec(&snapshot)?),
            Err(fault) => Say::Failed(plainly(&fault)),
        };
        wire::say(&mut stdout().lock(), &said)?;
    }
}

/// The text of a fault without "no", which the other side puts in front of it.
fn plainly(fault: &Fault) -> String {
    match fault {
        Fault::Unknown(what) => what.clone(),
        other => other.to_string(),
    }
}

/// Takes from this process everything that the library does not need.
fn confine() {
    let set = |which, most| {
        let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
        // SAFETY: sets limits of this process.
        unsafe { libc::setrlimit(which, &limit) };
    };
    set(libc::RLIMIT_CORE, 0);
    set(libc::RLIMIT_AS, MEMORY);
    set(libc::RLIMIT_CPU, SECONDS);
    // SAFETY: settings of this process: no more rights, and an end with its parent.
    unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
    }
}

/// The target as seen through the pipes.
#[derive(Default)]
struct Far {
    threads: RefCell<Option<Vec<(u32, u64)>>>,
}

impl Far {
    fn ask(&self, what: &Say) -> Result<Vec<u8>, Fault> {
        let talk = || {
            wire::say(&mut stdout().lock(), what)?;
            wire::receive(&mut stdin().lock())
        };
        let mut answer = talk().map_err(|_| Fault::Gone)?;
        match answer.first() {
            Some(1) => Ok(answer.split_off(1)),
            _ => Err(Fault::Unknown("such thing".into())),
        }
    }

    fn all(&self) -> Result<Vec<(u32, u64)>, Fault> {
        if let Some(known) = &*self.threads.borrow() {
            return Ok(known.clone());
        }
        let answer = self.ask(&Say::Threads)?;
        let each = answer.chunks_exact(12);
        let all: Vec<(u32, u64)> =
            each.map(|one| (number(&one[..4]) as u32, number(&one[4..]))).collect();
        *self.threads.borrow_mut() = Some(all.clone());
        Ok(all)
    }
}

impl Target for Far {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Fault> {
        let fault = || Fault::Unreadable { address, bytes: into.len() };
        let bytes = u32::try_from(into.len()).map_err(|_| fault())?;
        let answer = self.ask(&Say::Read(address, bytes)).map_err(|_| fault())?;
        if answer.len() != into.len() {
            return Err(fault());
        }
        into.copy_from_slice(&answer);
        Ok(())
    }

    fn symbol(&self, name: &str, _library: Option<&str>) -> Result<u64, Fault> {
        self.variable(name, None)
    }

    fn threads(&self) -> Result<Vec<u32>, Fault> {
        Ok(self.all()?.into_iter().map(|(lwp, _)| lwp).collect())
    }

    fn registers(&self, lwp: u32) -> Result<Registers, Fault> {
        let known = self.all()?.into_iter().find(|(known, _)| *known == lwp);
        let known = known.ok_or_else(|| Fault::Unknown(format!("thread {lwp}")))?;
        Ok(Registers { fs_base: known.1, ..Registers::default() })
    }
}

impl Subject for Far {
    fn variable(&self, name: &str, lwp: Option<u32>) -> Result<u64, Fault> {
        let answer = self.ask(&Say::Variable(lwp.unwrap_or(0), name.to_owned()))?;
        Ok(number(&answer))
    }
}

impl std::fmt::Debug for Asker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Asker {{ process: {} }}", self.child.id())
    }
}
