//! Names locks after local variables and variables of threads: a lock on a stack after the variable
//! of the function whose frame contains it, a lock in a thread's own storage after the variable
//! there. Also names objects to which such variables point. The full look (`mod.rs`) calls it.

use omphalos_ompd_view::asleep::is_lock_of_python;
use omphalos_ompd_view::snapshot::{Snapshot, Thread, Wait};
use omphalos_program::{FrameAt, Owner};
use omphalos_why::words;

use super::Stack;
use crate::names::Named;
use crate::space::{Space, word};
use crate::unwind::{All, Unwinder};

/// Locks that are searched for, each in one stack.
const MOST_LOCKS: usize = 64;

/// Names the locks without a name that are on a thread's stack.
pub fn name(snapshot: &mut Snapshot, unwinder: &Unwinder<'_>, named: &Named<'_>, stacks: &[Stack]) {
    let nameless = snapshot.locks.iter_mut().filter(|lock| lock.name.is_none());
    for lock in nameless.take(MOST_LOCKS) {
        let address = lock.address;
        let above = |stack: &&Stack| {
            let outermost = stack.raw.iter().map(|raw| raw.cfa).max();
            stack.registers.rsp <= address && outermost.is_some_and(|end| address < end)
        };
        let nearest = stacks.iter().filter(above).max_by_key(|stack| stack.registers.rsp);
        let Some(stack) = nearest else { continue };
        unwinder.walk_with(&stack.registers, |raw, all| {
            if raw.cfa <= address {
                return true;
            }
            let register = |number: usize| all.get(number).copied().flatten();
            let frame = FrameAt { pc: raw.lookup, cfa: raw.cfa, register: &register };
            let Some(local) = named.names().local(&frame, address) else { return false };
            lock.name = Some(local.name);
            // The last function is the one that has the frame; functions inlined into it come
            // first.
            let function = named.names().functions(raw.lookup).pop();
            let function = function.filter(|function| function.named && !local.inlined);
            lock.function = function.map(|function| function.name);
            false
        });
    }
}

/// Names the locks without a name that are in a thread's storage for the program's own variables.
pub fn name_of_threads(snapshot: &mut Snapshot, space: &dyn Space, named: &Named<'_>) {
    let Some(program) = named.modules().first() else { return };
    let Snapshot { threads, locks, .. } = snapshot;
    if locks.iter().all(|lock| lock.name.is_some()) {
        return;
    }
    let storages = storages(threads, space);
    for lock in locks.iter_mut().filter(|lock| lock.name.is_none()).take(MOST_LOCKS) {
        let holder = storages.iter().find(|(_, start, end)| (*start..*end).contains(&lock.address));
        let Some((lwp, start, _)) = holder else { continue };
        let name = named.names().of_each_thread(program.base, lock.address - start);
        let thread = threads.iter().find(|thread| thread.lwp == *lwp);
        lock.function = name.as_ref().and(thread).map(words::thread);
        lock.name = name;
    }
}

/// The storage that each thread has for the program's own variables: the thread's number in the
/// kernel, the storage's start and its end.
pub fn storages(threads: &[Thread], space: &dyn Space) -> Vec<(u32, u64, u64)> {
    // glibc keeps the addresses of a thread's storage in a table behind its first word: two words
    // for each file, after two of its own. The program's file is the first one.
    let storage = |own: u64| {
        let table = word(space.as_target(), own.checked_add(8)?).ok()?;
        word(space.as_target(), table.checked_add(16)?).ok()
    };
    let known = threads.iter().filter(|thread| thread.pthread != 0);
    // The storage grows downwards from the thread's own words.
    let each = known.map(|thread| Some((thread.lwp, storage(thread.pthread)?, thread.pthread)));
    each.flatten().collect()
}

/// Names the objects to which the code does an operation that would end a thread's wait if it were
/// done to the object that the thread waits for.
pub fn name_others(
    snapshot: &mut Snapshot,
    space: &dyn Space,
    unwinder: &Unwinder<'_>,
    (stacks, named): (&[Stack], &Named<'_>),
) {
    for brings in snapshot.threads.iter_mut().filter_map(|thread| thread.brings.as_mut()) {
        if brings.others_at.is_empty() {
            continue;
        }
        let known = found(&brings.others_at, space, unwinder, (stacks, named));
        let local = |at: u64| known.iter().find(|it| it.address == at).map(|it| it.name.clone());
        let name = |at: &u64| match named.names().datum(*at).or_else(|| local(*at)) {
            Some(name) => format!("'{name}'"),
            None => format!("the one at {at:#x}"),
        };
        brings.others = brings.others_at.iter().map(name).collect();
    }
}

/// Names the objects that threads wait for and that nothing has named: a variable of some function,
/// or a part of an object that variables point at.
pub fn name_pointed(
    snapshot: &mut Snapshot,
    space: &dyn Space,
    unwinder: &Unwinder<'_>,
    (stacks, named): (&[Stack], &Named<'_>),
) {
    let mut wanted: Vec<u64> = Vec::new();
    let locks = snapshot.locks.iter().filter(|lock| lock.name.is_none()).map(|lock| lock.address);
    let threads = || snapshot.threads.iter();
    let others = threads().flat_map(addresses).map(|(address, _)| address);
    for address in locks.chain(others) {
        if !wanted.contains(&address) && wanted.len() < MOST_POINTED {
            wanted.push(address);
        }
    }
    if wanted.is_empty() {
        return;
    }
    let known = found(&wanted, space, unwinder, (stacks, named));
    let name = |address: u64| known.iter().find(|it| it.address == address).map(|it| &*it.name);
    for lock in snapshot.locks.iter_mut().filter(|lock| lock.name.is_none()) {
        lock.name = name(lock.address).map(str::to_owned);
    }
    for thread in &mut snapshot.threads {
        for (address, written) in addresses(thread) {
            let Some(name) = name(address) else { continue };
            if let Some(Wait::Unknown { what } | Wait::Call { what, .. }) = &mut thread.waits {
                let what_now = what.replacen("a ", "the ", usize::from(what.starts_with("a ")));
                *what = what_now.replace(&written, &format!(" '{name}'"));
            }
            if let Some(awaits) = &mut thread.awaits {
                awaits.what = awaits.what.replace(&written, &format!(" '{name}'"));
            }
        }
    }
}

/// An object in memory that a variable contains, or points at.
pub struct Found {
    /// Its address.
    pub address: u64,
    /// Its name.
    pub name: String,
    /// The place where the variable that contains it is declared.
    pub declared: Option<(String, u32)>,
}

/// Finds what is at these addresses: a part of a variable of some function, or of an object that
/// variables point at.
pub fn found(
    wanted: &[u64],
    space: &dyn Space,
    unwinder: &Unwinder<'_>,
    (stacks, named): (&[Stack], &Named<'_>),
) -> Vec<Found> {
    let frames = frames(unwinder, named, stacks);
    let registers: Vec<_> = frames
        .iter()
        .map(|(_, _, all)| move |number: usize| all.get(number).copied().flatten())
        .collect();
    let frames = frames.iter().zip(&registers);
    let frames = frames.map(|((pc, cfa, _), register)| FrameAt { pc: *pc, cfa: *cfa, register });
    let frames: Vec<FrameAt<'_>> = frames.collect();
    let names = named.names();
    let read = |address: u64| word(space.as_target(), address).ok();
    // Within one stack, the frame that contains an address is the first one that ends behind it.
    let local = |address: u64| {
        let mut holders = frames
            .iter()
            .filter(|frame| (frame.cfa.saturating_sub(FAR)..frame.cfa).contains(&address));
        holders.find_map(|frame| names.local(frame, address))
    };
    let at = |address: u64| {
        let local = local(address).map(|local| (local.name, local.declared));
        let pointed = || Some((names.pointed(address, &frames, &read)?, None));
        let (name, declared) = local.or_else(pointed)?;
        Some(Found { address, name, declared })
    };
    wanted.iter().filter_map(|address| at(*address)).collect()
}

/// Addresses that [`name_pointed`] names.
const MOST_POINTED: usize = 16;
/// Frames of one stack that are searched for them.
const MOST_FRAMES: usize = 16;
/// Stacks that are searched for them.
const MOST_STACKS: usize = 16;
/// Bytes of one frame.
const FAR: u64 = 1 << 20;

/// The addresses of the objects that a thread waits for, each with its words in the text: " at
/// 0x1234".
fn addresses(thread: &Thread) -> Vec<(u64, String)> {
    let waits = match &thread.waits {
        Some(Wait::Unknown { what }) if is_lock_of_python(what) || what.contains("(its ") => None,
        Some(Wait::Unknown { what } | Wait::Call { what, .. }) => Some(what),
        _ => None,
    };
    let awaits = thread.awaits.as_ref().map(|awaits| &awaits.what);
    let address = |what: &String| {
        let (_, rest) = what.rsplit_once(" at 0x")?;
        let digits = rest.split(|letter: char| !letter.is_ascii_hexdigit()).next()?;
        Some((u64::from_str_radix(digits, 16).ok()?, format!(" at 0x{digits}")))
    };
    waits.into_iter().chain(awaits).filter_map(address).collect()
}

/// The frames of the program's own code: the current address of each, its end, and its registers.
fn frames(unwinder: &Unwinder<'_>, named: &Named<'_>, stacks: &[Stack]) -> Vec<(u64, u64, All)> {
    let mut found = Vec::new();
    for stack in stacks.iter().take(MOST_STACKS) {
        let mut left = MOST_FRAMES;
        unwinder.walk_with(&stack.registers, |raw, all| {
            if named.names().owner(raw.lookup) == Owner::User {
                found.push((raw.lookup, raw.cfa, *all));
                left -= 1;
            }
            left > 0
        });
    }
    found
}
