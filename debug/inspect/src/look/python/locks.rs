//! Who holds a lock of Python's: nothing in it says so, but who is in a `with` statement of it has
//! the method by which that ends among the values of its frame: bound to the lock, or, since 3.14,
//! with the lock behind it.

use omphalos_ompd_view::asleep::is_lock_of_python;
use omphalos_ompd_view::snapshot::{Lock, Snapshot, Taken, Thread, Wait};
use omphalos_ompd_view::target::{half, word};
use omphalos_python::Layout;

use super::Python;

/// Versions that have all of this so, where threads take turns with the interpreter's lock: an
/// object's type is where it is told by this offset.
const VERSIONS: core::ops::RangeInclusive<u32> = 0x30b..=0x30e;
const KIND: u64 = 8;
/// `_PyInterpreterFrame`, before 3.14: how many of its values are in use, below 0 where only the
/// interpreter's code knows.
const IN_USE: u64 = 64;
/// `PyCodeObject`: how many values there may be stands before the line, how many variables behind.
const BEHIND_LINE: u64 = 4;
const MOST_VALUES: u64 = 1 << 12;
/// An object's count of references, and what it is at most where the object lives.
const MOST_REFERENCES: u64 = 1 << 20;
/// `PyCFunctionObject`: what it is, and of which object; `PyMethodDef`: its name.
const METHOD: u64 = 16;
const OF_OBJECT: u64 = 24;
/// `PyMethodDescrObject`: the type that it is a method of; its `PyMethodDef`.
const OF_TYPE: u64 = 16;
const DEFINED: u64 = 40;
/// `lockobject`, `rlockobject`: the lock of the C library's, or the interpreter's own, which
/// releases of 3.13 have in the former and 3.14 in both; of the latter, who has it, and how often
/// it has taken it, or, of the interpreter's own, how often more than once.
const LOCK: u64 = 16;
const OWNER: u64 = 24;
const COUNT: u64 = 32;
const MOST_TIMES: u64 = 1 << 20;
/// `PyMutex`: it is taken; and the most that it is.
const TAKEN: u64 = 1;
const MOST_OF_MUTEX: u64 = 3;

/// A lock that a thread has by a `with`.
pub(super) struct Held {
    pub(super) lwp: u32,
    /// The method's object, or where it stands, if others have that one too.
    method: u64,
    /// It is known to be in use: the frame tells how many of its values are.
    in_use: bool,
    /// The lock within it.
    lock: u64,
    /// Where the thread is within the statement.
    place: String,
}

impl Python<'_> {
    /// The locks that a frame has.
    pub(super) fn held(&self, frame: u64, lwp: u32, place: &str) -> Vec<Held> {
        let found = self.methods(frame).unwrap_or_default().into_iter();
        let in_use = self.in_use(frame).is_some();
        let one = |(method, lock)| Held { lwp, method, in_use, lock, place: place.to_owned() };
        found.map(one).collect()
    }

    /// The locks among a frame's values that name their owner (`threading.RLock`), each with that;
    /// `lwps`: Python's threads by their `pthread_self()`.
    pub(super) fn owned(&self, frame: u64, lwps: &[(u64, u32)]) -> Vec<(u64, u32)> {
        let owner = |object: u64| {
            let lock = self.lock_in(object)?;
            let own = self.word(object, OWNER)?;
            let count = self.word(object, COUNT)?;
            let is_taken = match self.word(object, LOCK)? {
                mutex if mutex <= MOST_OF_MUTEX => mutex & TAKEN != 0 && count < MOST_TIMES,
                _ => (1..MOST_TIMES).contains(&count),
            };
            let (_, lwp) = lwps.iter().find(|(known, _)| *known == own).filter(|_| is_taken)?;
            Some((lock, *lwp))
        };
        let values = self.values(frame).unwrap_or_default().into_iter();
        // The lock itself, or a method of it.
        let objects = values.flat_map(|value| [Some(value), self.word(value, OF_OBJECT)]).flatten();
        objects.filter(|object| object.is_multiple_of(8)).filter_map(owner).collect()
    }

    fn methods(&self, frame: u64) -> Option<Vec<(u64, u64)>> {
        let places = self.places(frame)?;
        if self.layout.values_end.is_some() {
            let lock = |at: u64| self.lock_behind(self.value(at)?, self.value(at + 8)?);
            return Some(places.filter_map(|at| Some((at, lock(at)?))).collect());
        }
        let lock = |value| Some((value, self.lock_of_exit(value)?));
        Some(places.filter_map(|at| self.value(at)).filter_map(lock).collect())
    }

    /// A frame's values, as far as they may be in use.
    fn values(&self, frame: u64) -> Option<Vec<u64>> {
        Some(self.places(frame)?.filter_map(|at| self.value(at)).collect())
    }

    /// The object that a place of a frame has.
    fn value(&self, at: u64) -> Option<u64> {
        Some(self.word(at, 0)? & !Layout::TAGS).filter(|value| *value != 0)
    }

    /// Where a frame's values stand that may be in use.
    fn places(&self, frame: u64) -> Option<impl Iterator<Item = u64>> {
        if !VERSIONS.contains(&(self.version >> 16)) || self.layout.kind != KIND {
            return None;
        }
        let code = self.word(frame, self.layout.code)? & !Layout::TAGS;
        let line = code.checked_add(self.layout.first_line)?;
        let count = |at: u64| half(self.target, at).ok().map(u64::from);
        let variables = count(line + BEHIND_LINE)?;
        let end = variables.checked_add(count(line - BEHIND_LINE)?)?;
        if end > MOST_VALUES {
            return None;
        }
        let of_frame = frame.checked_add(self.layout.values)?;
        of_frame.checked_add(8 * (end + 1))?;
        let in_use = variables..self.in_use(frame).unwrap_or(end).min(end);
        Some(in_use.map(move |index| of_frame + 8 * index))
    }

    /// How many of a frame's values are in use, if it tells.
    fn in_use(&self, frame: u64) -> Option<u64> {
        if let Some(end) = self.layout.values_end {
            // One that the interpreter's code works with right now waits for nothing.
            let begin = frame.checked_add(self.layout.values)?;
            return Some(self.word(frame, end)?.saturating_sub(begin) / 8);
        }
        let count = half(self.target, frame.checked_add(IN_USE)?).ok()?;
        i32::try_from(count).is_ok().then_some(count.into())
    }

    /// The lock whose method `__exit__` the object is.
    fn lock_of_exit(&self, object: u64) -> Option<u64> {
        if !object.is_multiple_of(8) || !(1..MOST_REFERENCES).contains(&self.word(object, 0)?) {
            return None;
        }
        let lock = self.lock_in(self.word(object, OF_OBJECT)?)?;
        self.is_exit(self.word(object, METHOD)?)?.then_some(lock)
    }

    /// Where an object has its lock, if it is one that has: behind a pointer, or in itself.
    fn lock_in(&self, object: u64) -> Option<u64> {
        match self.word(object, LOCK)? {
            mutex if mutex <= MOST_OF_MUTEX => object.checked_add(LOCK),
            lock => word(self.target, lock).is_ok().then_some(lock),
        }
    }

    /// The lock whose type's method `__exit__` is the value before it.
    fn lock_behind(&self, method: u64, object: u64) -> Option<u64> {
        let is_own = self.word(method, OF_TYPE)? == self.word(object, KIND)?;
        let lock = object.checked_add(LOCK)?;
        (is_own && self.is_exit(self.word(method, DEFINED)?)?).then_some(lock)
    }

    /// Whether that is what a `PyMethodDef` defines.
    fn is_exit(&self, defined: u64) -> Option<bool> {
        const EXIT: &[u8; 9] = b"__exit__\0";
        let mut bytes = [0; EXIT.len()];
        self.target.read(self.word(defined, 0)?, &mut bytes).ok()?;
        Some(&bytes == EXIT)
    }
}

/// Says of threads that wait for such locks for whom they wait.
pub(super) fn find(snapshot: &mut Snapshot, held: &[Held], owned: &[(u64, u32)]) {
    let wants = |thread: &Thread| Some((thread.lwp, wanted(thread)?));
    let waiting: Vec<(u32, u64)> = snapshot.threads.iter().filter_map(wants).collect();
    for &(lwp, address) in &waiting {
        let named = owned.iter().find(|(lock, _)| *lock == address).map(|(_, lwp)| *lwp);
        let by_code = holder(address, held, &waiting);
        let owner = named.or(by_code.map(|holder| holder.lwp));
        if owner.is_none() {
            continue;
        }
        let kind = "lock of Python's".to_owned();
        let own = snapshot.threads.iter_mut().find(|thread| Some(thread.lwp) == owner);
        if let (Some(holder), Some(own)) = (by_code.filter(|it| Some(it.lwp) == owner), own) {
            let taken = Taken {
                by: "with".to_owned(),
                place: holder.place.clone(),
                lock: address,
                handed: Vec::new(),
            };
            if !own.taken.contains(&taken) {
                own.taken.push(taken);
            }
        }
        let waits = Some(Wait::Mutex { mutex: address, owner, read_write: false });
        let mut threads = snapshot.threads.iter_mut();
        if let Some(thread) = threads.find(|thread| thread.lwp == lwp) {
            thread.waits = waits;
        }
        if snapshot.locks.iter().all(|lock| lock.address != address) {
            snapshot.locks.push(Lock { address, kind, ..Lock::default() });
        }
    }
}

/// The lock that a thread waits for, if it is one of Python's.
pub(super) fn wanted(thread: &Thread) -> Option<u64> {
    let Some(Wait::Unknown { what }) = &thread.waits else { return None };
    let (_, address) = what.rsplit_once(" at 0x").filter(|_| is_lock_of_python(what))?;
    u64::from_str_radix(address, 16).ok()
}

/// The one thread that holds a lock: where it came to it first.
fn holder<'a>(address: u64, held: &'a [Held], waiting: &[(u32, u64)]) -> Option<&'a Held> {
    let own: Vec<&Held> = held.iter().filter(|held| held.lock == address).collect();
    // One that lives is a value of one frame: others have left it behind, or one that was there.
    let lives = |at: &usize| {
        let one = own[*at];
        let mut others = own.iter().enumerate().filter(|(_, other)| other.method == one.method);
        one.in_use || others.all(|(other, it)| !it.in_use && it.lwp == one.lwp && other <= *at)
    };
    let all: Vec<&Held> = (0..own.len()).filter(lives).map(|at| own[at]).collect();
    // Who waits to come into a statement may have the method of its end already.
    let holds = |one: &&&Held| {
        let own = all.iter().filter(|other| other.lwp == one.lwp).count();
        own > usize::from(waiting.contains(&(one.lwp, address)))
    };
    let last = all.iter().rev().find(holds)?;
    all.iter().filter(holds).all(|one| one.lwp == last.lwp).then_some(last)
}
