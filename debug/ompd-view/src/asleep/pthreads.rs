//! Finds what a thread that sleeps in the C library waits for.
//!
//! The function is known by the frame's name. If the C library has no symbols, the name under which
//! the caller calls it serves. The object is found from the word at which the thread's `futex`
//! waits. Only glibc knows where in the object that word is (since 2.25), so the values there are
//! checked as far as possible.

use super::{Kernel, barriers, calls, conditions, interpreter, mutexes, standard};
use crate::snapshot::{Frame, Wait};
use crate::target::{half, word};
use crate::{Registers, Target};

/// The process's threads, as far as a wait may be for one of them.
pub struct Known<'a> {
    /// Each with its number in the kernel and its `pthread_self()`.
    pub threads: &'a [(u32, u64)],
    /// The range of addresses of the dynamic linker's data.
    pub loader: Option<(u64, u64)>,
}

/// Returns what the thread waits for. `called`: the functions that the thread is in, as their
/// callers name them, from the innermost function of the user's outwards.
pub fn waits(
    target: &dyn Target,
    kernel: &dyn Kernel,
    known: &Known<'_>,
    registers: &Registers,
    stack: &[Frame],
    called: &[String],
) -> Option<Wait> {
    // MPI libraries look for messages again and again, each time in other calls.
    if let Some(what) = stack.iter().find_map(mpi_function).filter(|name| may_block(name)) {
        return Some(Wait::Call { name: String::new(), what });
    }
    let name = calls::name(calls::in_call(registers)?);
    // A sleep that a look interrupted goes on as restart_syscall, with the registers that it had.
    let goes_on = name == "restart_syscall";
    let slept_in = || called.iter().find(|name| calls::is_name(name)).cloned();
    let name = if goes_on { slept_in().unwrap_or(name) } else { name };
    if name == "futex" || name == "restart_syscall" {
        let inner = stack.iter().take_while(|frame| is_system(frame)).map(|frame| &*frame.function);
        let names: Vec<&str> = inner.chain(called.iter().map(String::as_str)).collect();
        let word = registers.call[2];
        let known_wait = futex(target, known, registers, &names);
        if let Some(Wait::Condition { condition }) = known_wait
            && let Some(wait) = interpreter::waits(target, known, stack, condition)
        {
            return Some(wait);
        }
        let of_python = interpreter::lock(target, stack, word);
        let value = || half(target, word).ok();
        let barrier = || barriers::find(target, registers);
        let of_library = || standard::waits(stack, word, value(), &names, &barrier);
        let known_wait = of_python.or(known_wait).or_else(of_library);
        let is_changed = calls::misses(registers, |at| half(target, at).ok());
        match known_wait {
            Some(Wait::Unknown { what }) if is_changed && what.contains("std::atomic") => {
                return Some(Wait::Unknown { what: what + CHANGED });
            }
            Some(wait) => return Some(wait),
            // The lock of an unknown library: the word says which one.
            None if name == "futex" => {
                let value = value().map_or_else(String::new, |now| of_word(now, registers));
                return Some(Wait::Call { name, what: format!("the word at {word:#x}{value}") });
            }
            None => {}
        }
    }
    let what = calls::about(target, kernel, registers, &name);
    Some(Wait::Call { name, what })
}

/// Says the value of a word of the program's own at which a thread sleeps, and whether the thread
/// fell asleep for that value.
fn of_word(now: u32, registers: &Registers) -> String {
    match calls::awaited_change(registers) {
        Some(old) if old == now => format!(", whose value is still {now}"),
        Some(old) => format!(
            ", whose value is {now} and no longer the {old} for which the thread fell asleep: who \
             changed it woke nobody"
        ),
        None => String::new(),
    }
}

/// Parts of the names of functions in which a thread waits at an object of the program's.
const OF_OBJECTS: [&str; 5] = ["_barrier_", "_cond_", "_mutex_", "_rwlock_", "sem_"];

const POSTED: &str = " (it has been posted, and nobody woke the thread)";
const CHANGED: &str = " (its value is no longer the one that the thread waits to see changed)";

/// Returns the MPI function that the frame is of, under its C name. Fortran's functions may be
/// entered in another way.
pub fn mpi_function(frame: &Frame) -> Option<String> {
    let name = &*frame.function;
    let rest = |begin: &str| name.strip_prefix('P').unwrap_or(name).strip_prefix(begin);
    if rest("MPI_").is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_uppercase())) {
        return Some(name.to_owned());
    }
    // Open MPI leaves MPI_Finalize by a jump to a function of its own, which since version 6 is in
    // another library.
    let name = name.strip_prefix("ompi_").unwrap_or(name);
    let name = name.trim_end_matches('_').strip_prefix("mpi_")?;
    let is_mpi = ["libmpi", "libopen_mpi"].iter().any(|begin| frame.module.starts_with(begin));
    let first = name.get(..1).filter(|_| is_mpi)?;
    Some(format!("MPI_{}{}", first.to_ascii_uppercase(), &name[1..]))
}

/// Whether an MPI function may wait for others.
fn may_block(name: &str) -> bool {
    let name = name.strip_prefix('P').unwrap_or(name);
    let lower = |at: usize| name.as_bytes().get(at).is_some_and(u8::is_ascii_lowercase);
    // MPI_Irecv, MPI_Iprobe and the like, MPI_Test and its kin, MPI_Wtime.
    let begins = name.starts_with("MPI_I") && lower(5) && name != "MPI_Intercomm_merge";
    !(begins || name.starts_with("MPI_Test") || name.starts_with("MPI_Wti"))
}

pub(super) fn is_system(frame: &Frame) -> bool {
    ["libc.so", "libc-", "libpthread", "ld-linux"].iter().any(|name| frame.module.starts_with(name))
}

fn futex(
    target: &dyn Target,
    known: &Known<'_>,
    registers: &Registers,
    names: &[&str],
) -> Option<Wait> {
    let at = registers.call[2];
    let has = |part: &str| names.iter().any(|name| name.contains(part));
    // The kernel clears a word when a thread ends: a wait for that word waits for the thread.
    // Since glibc 2.43 it is another word of the thread's. The thread's own locks are in the same
    // memory, but they are private words. An object of several processes may lie behind it.
    let is_of_object = OF_OBJECTS.iter().any(|part| has(part));
    let threads = || known.threads.iter().filter(|_| !is_of_object);
    let of_thread = threads().find(|(lwp, own)| {
        let is_for_all = !calls::is_within_process(registers);
        at.wrapping_sub(*own) < 4096 && (is_for_all || half(target, at) == Ok(*lwp))
    });
    if let Some((lwp, _)) = of_thread {
        return Some(Wait::Join { lwp: Some(*lwp) });
    }
    if has("pthread_join") || has("clockjoin") || has("timedjoin") {
        let lwp = half(target, at).ok();
        let lwp = lwp.filter(|lwp| known.threads.iter().any(|(thread, _)| thread == lwp));
        return Some(Wait::Join { lwp });
    }
    if has("pthread_cond_") || has("cnd_") {
        return Some(Wait::Condition { condition: conditions::of_word(target, at) });
    }
    if has("mutex_") || has("mtx_") || has("lll_lock_wait") {
        let owner = half(target, at.wrapping_add(8)).ok().filter(|owner| *owner != 0);
        if known.loader.is_some_and(|(from, end)| (from..end).contains(&at)) {
            return Some(Wait::Loader { owner });
        }
        // The lock of a stream has its owner's `pthread_self()` where a mutex has a number.
        let stream = word(target, at.wrapping_add(8)).unwrap_or(0);
        let by_self = known.threads.iter().find(|(_, own)| *own == stream && stream != 0);
        // The C library's own locks have no owner: the word behind them is something else.
        if by_self.is_none() && has("lll_lock_wait_private") {
            return Some(Wait::Unknown {
                what: format!("a lock of the C library's own at {at:#x}"),
            });
        }
        if mutexes::is_refused(target, registers) {
            return Some(Wait::Unknown { what: mutexes::REFUSED.to_owned() });
        }
        let owner = by_self.map(|(lwp, _)| *lwp).or(owner);
        return Some(Wait::Mutex { mutex: at, owner, read_write: false });
    }
    if known.loader.is_some_and(|(from, end)| (from..end).contains(&at)) {
        let owner = half(target, at.wrapping_add(8)).ok().filter(|owner| *owner != 0);
        return Some(Wait::Loader { owner });
    }
    let of_static = has("__cxa_guard_acquire");
    if of_static || has("pthread_once") || has("call_once") {
        return Some(Wait::Once { flag: at, of_static, owner: None });
    }
    if has("pthread_rwlock_") {
        // Threads sleep at the third or fourth half-word, whose values stay below 4, or at the
        // first one when readers let writers go first. The writer's number is the seventh.
        let is_first = half(target, at).is_ok_and(|readers| readers >= 4);
        let lock = if is_first { at } else { at.wrapping_sub(8) & !7 };
        let writer = half(target, lock.wrapping_add(24)).ok();
        let writer = writer.filter(|writer| known.threads.iter().any(|(lwp, _)| lwp == writer));
        return Some(Wait::Mutex { mutex: lock, owner: writer, read_write: true });
    }
    if has("pthread_barrier_") {
        let (come, barrier) = (come_to_barrier(target, at), at.wrapping_sub(4));
        return Some(Wait::Unknown { what: format!("a pthread barrier at {barrier:#x}{come}") });
    }
    if has("sem_") {
        let posted = if calls::misses(registers, |at| half(target, at).ok()) { POSTED } else { "" };
        return Some(Wait::Unknown { what: format!("a semaphore at {at:#x}{posted}") });
    }
    // The lock of a stream or of the allocator: glibc waits there in functions with other names.
    let stream = word(target, at.wrapping_add(8)).unwrap_or(0);
    if let Some((lwp, _)) = known.threads.iter().find(|(_, own)| *own == stream && stream != 0) {
        return Some(Wait::Mutex { mutex: at, owner: Some(*lwp), read_write: false });
    }
    None
}

/// Says how many threads have come to a barrier of the C library, whose second word threads sleep
/// at. Its words are: how many have come in all rounds, how many have left, how many make a round,
/// and whether processes share it (`PTHREAD_PROCESS_SHARED`).
fn come_to_barrier(target: &dyn Target, second: u64) -> String {
    let number = |at: u64| half(target, at).ok();
    let read = || Some((number(second.checked_sub(4)?)?, number(second)?, number(second + 4)?));
    let Some((come, left, wanted)) = read() else { return String::new() };
    match come.checked_sub(left) {
        Some(now) if now > 0 && now < wanted => {
            let is_shared = number(second + 8).is_some_and(|shared| shared != 0);
            let of_whom = if is_shared { ", of several processes," } else { "" };
            format!(" ({now} of the {wanted} threads{of_whom} that it is for have come)")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_of_mpi_is_known_by_c_s_name_and_by_fortran_s() {
        let named = |function: &str, module: &str| {
            let (function, module) = (function.to_owned(), module.to_owned());
            mpi_function(&Frame { function, module, ..Frame::default() })
        };
        assert_eq!(named("PMPI_Recv", "libmpi.so.40").as_deref(), Some("PMPI_Recv"));
        assert_eq!(named("mpi_finalize_", "libmpi_mpifh.so.40").as_deref(), Some("MPI_Finalize"));
        let left = named("ompi_mpi_finalize", "libopen_mpi.so.40");
        assert_eq!(left.as_deref(), Some("MPI_Finalize"));
        let left = named("ompi_mpi_finalize", "libmpi.so.40");
        assert_eq!(left.as_deref(), Some("MPI_Finalize"));
        assert_eq!(named("mpi_exchange", "app"), None);
    }
}
