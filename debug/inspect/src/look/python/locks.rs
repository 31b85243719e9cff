//! Finds the holders of Python's locks. A `threading.Lock` does not name its holder. But a thread
//! inside a statement `with lock:` has the method `__exit__`, which ends the statement, among the
//! values of its frame. Up to 3.13 the method is bound to the lock; since 3.14 the lock is the next
//! value. The method is among the values in use, because an exception would also end the statement.

use omphalos_ompd_view::asleep::is_lock_of_python;
use omphalos_ompd_view::snapshot::{Lock, Snapshot, Taken, Thread, Wait};
use omphalos_ompd_view::target::{half, word};
use omphalos_python::{Frame, Layout, kept_values};

use super::Python;

/// Versions with the layouts below, in which threads take turns with the interpreter's lock.
const VERSIONS: core::ops::RangeInclusive<u32> = 0x30b..=0x30e;
/// `PyObject`: the offset of its type.
const KIND: u64 = 8;
/// The first version that has method and lock apart.
const APART: u32 = 0x30e;
/// `PyCodeObject`: the offset of its exception table.
const HANDLERS: u64 = 40;
/// `PyCodeObject`: the number of values is in front of the first line's number, the number of
/// variables behind it.
const BEHIND_LINE: u64 = 4;
const MOST_VALUES: u64 = 1 << 12;
/// `PyCFunctionObject`: its `PyMethodDef` and its object.
const METHOD: u64 = 16;
const OF_OBJECT: u64 = 24;
/// `PyMethodDescrObject`: its type, and its `PyMethodDef`.
const OF_TYPE: u64 = 16;
const DEFINED: u64 = 40;
/// `lockobject`, `rlockobject`: the lock of the C library, or the interpreter's own lock, which
/// `lockobject` has since some releases of 3.13 and both have since 3.14. In `rlockobject` also the
/// owner, and how often it has taken the lock; for the interpreter's own lock, how often beyond the
/// first time.
const LOCK: u64 = 16;
const OWNER: u64 = 24;
const COUNT: u64 = 32;
const MOST_TIMES: u64 = 1 << 20;
/// `PyMutex`: the bit for a lock that is taken, and the greatest value.
const TAKEN: u64 = 1;
const MOST_OF_MUTEX: u64 = 3;

/// A lock that a thread holds by a `with` statement.
pub(super) struct Held {
    pub(super) lwp: u32,
    lock: u64,
    /// The thread's place within the statement.
    place: String,
}

impl Python<'_> {
    /// The locks that a frame holds.
    pub(super) fn held(&self, frame: Frame, lwp: u32, place: &str) -> Vec<Held> {
        let found = self.locks(frame).unwrap_or_default().into_iter();
        found.map(|lock| Held { lwp, lock, place: place.to_owned() }).collect()
    }

    /// The locks among a frame's values that name their owner (`threading.RLock`), each with the
    /// owner. `lwps`: Python's threads by their `pthread_self()`.
    pub(super) fn owned(&self, frame: Frame, lwps: &[(u64, u32)]) -> Vec<(u64, u32)> {
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
        // The value is the lock itself, or a method of it.
        let objects = values.flat_map(|value| [Some(value), self.word(value, OF_OBJECT)]).flatten();
        objects.filter(|object| object.is_multiple_of(8)).filter_map(owner).collect()
    }

    fn locks(&self, frame: Frame) -> Option<Vec<u64>> {
        let places = self.places(frame)?;
        let kept = kept_values(&self.table(frame.code, HANDLERS)?, frame.unit);
        let lock = |at: u64| match self.version >> 16 >= APART {
            true => self.lock_behind(self.value(at)?, self.value(at + 8)?),
            false => self.lock_of_exit(self.value(at)?),
        };
        Some(places.take(usize::try_from(kept).ok()?).filter_map(lock).collect())
    }

    /// A frame's values, as far as they may be in use.
    fn values(&self, frame: Frame) -> Option<Vec<u64>> {
        Some(self.places(frame)?.filter_map(|at| self.value(at)).collect())
    }

    /// The object that a frame's first variable refers to.
    pub(super) fn first_variable(&self, frame: Frame) -> Option<u64> {
        VERSIONS.contains(&(self.version >> 16)).then_some(())?;
        self.value(frame.at.checked_add(self.layout.values)?)
    }

    /// The object at a place of a frame.
    fn value(&self, at: u64) -> Option<u64> {
        Some(self.word(at, 0)? & !Layout::TAGS).filter(|value| *value != 0)
    }

    /// The addresses of a frame's values, those in use first.
    fn places(&self, frame: Frame) -> Option<impl Iterator<Item = u64>> {
        if !VERSIONS.contains(&(self.version >> 16)) || self.layout.kind != KIND {
            return None;
        }
        let line = frame.code.checked_add(self.layout.first_line)?;
        let count = |at: u64| half(self.target, at).ok().map(u64::from);
        let variables = count(line + BEHIND_LINE)?;
        let end = variables.checked_add(count(line - BEHIND_LINE)?)?;
        if end > MOST_VALUES {
            return None;
        }
        let of_frame = frame.at.checked_add(self.layout.values)?;
        of_frame.checked_add(8 * (end + 1))?;
        Some((variables..end).map(move |index| of_frame + 8 * index))
    }

    /// The lock whose method `__exit__` the object is.
    fn lock_of_exit(&self, object: u64) -> Option<u64> {
        let lock = self.lock_in(self.word(object, OF_OBJECT)?)?;
        self.is_exit(self.word(object, METHOD)?)?.then_some(lock)
    }

    /// The address of an object's lock, if the object has one: behind a pointer, or in the object
    /// itself.
    fn lock_in(&self, object: u64) -> Option<u64> {
        match self.word(object, LOCK)? {
            mutex if mutex <= MOST_OF_MUTEX => object.checked_add(LOCK),
            lock => word(self.target, lock).is_ok().then_some(lock),
        }
    }

    /// Returns the lock of an object, if the value `method` in front of the object in the frame is
    /// the method `__exit__` of the object's type.
    fn lock_behind(&self, method: u64, object: u64) -> Option<u64> {
        let is_own = self.word(method, OF_TYPE)? == self.word(object, KIND)?;
        let lock = object.checked_add(LOCK)?;
        (is_own && self.is_exit(self.word(method, DEFINED)?)?).then_some(lock)
    }

    /// Whether a `PyMethodDef` defines `__exit__`.
    fn is_exit(&self, defined: u64) -> Option<bool> {
        const EXIT: &[u8; 9] = b"__exit__\0";
        let mut bytes = [0; EXIT.len()];
        self.target.read(self.word(defined, 0)?, &mut bytes).ok()?;
        Some(&bytes == EXIT)
    }
}

/// Fills in the owners for threads that wait for locks of Python's.
pub(super) fn find(snapshot: &mut Snapshot, held: &[Held], owned: &[(u64, u32)]) {
    let wants = |thread: &Thread| Some((thread.lwp, wanted(thread)?));
    let waiting: Vec<(u32, u64)> = snapshot.threads.iter().filter_map(wants).collect();
    for &(lwp, address) in &waiting {
        let named = owned.iter().find(|(lock, _)| *lock == address).map(|(_, lwp)| *lwp);
        let by_code = holder(address, held);
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

/// Returns the only thread that holds a lock, at its outermost `with` statement for this lock.
/// `None` if several threads seem to hold the lock.
fn holder(address: u64, held: &[Held]) -> Option<&Held> {
    let mut own = held.iter().filter(|held| held.lock == address);
    let outermost = own.next_back()?;
    own.all(|one| one.lwp == outermost.lwp).then_some(outermost)
}
