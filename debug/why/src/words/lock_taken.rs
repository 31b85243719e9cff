//! Says where the holder of a lock took the lock, as far as the holder's code shows.

use omphalos_ompd_view::snapshot::{Frame, Lock, Snapshot, Taken, Thread, Wait};

use super::{is_system, place};

/// Returns the place where `holder` took the lock that `thread` waits for, as far as the holder's
/// code shows: " (taken at a.c:3)". Otherwise, returns which code takes the lock.
pub fn where_taken(snapshot: &Snapshot, holder: &Thread, thread: &Thread) -> String {
    if let Some(Wait::Loader { .. }) = thread.waits {
        let asks = asked_loader(holder).and_then(place);
        return asks.map_or_else(String::new, |place| format!(" (taken at {place})"));
    }
    let lock = lock_of(snapshot, thread);
    let of_kind = |by: &str| match lock.map_or("", |lock| &*lock.kind) {
        "critical" => by.contains("critical"),
        "nest lock" => by.contains("nest_lock"),
        "lock" => by.contains("omp_") && by.contains("_lock") && !by.contains("nest"),
        // Readers are not known as holders.
        "read-write lock" => by.contains("wrlock"),
        "lock of a stream" => by.contains("lockfile"),
        "spin lock" => by.contains("pthread_spin_"),
        "lock of a Fortran unit" => {
            ["_gfortran_st_", "_FortranAio"].iter().any(|it| by.contains(it))
        }
        "lock of Python's" => by == "with",
        "import lock" => by == "import",
        "pthread mutex" | "" => ["mutex", "lockfile", "mtx_"].iter().any(|part| by.contains(part)),
        _ => false,
    };
    let address = lock.map_or(0, |lock| lock.address);
    let taken = || holder.taken.iter().filter(|taken| of_kind(&taken.by));
    // First the places whose code shows this lock; else those whose variables show it; else those
    // whose code shows no lock: the lock may have been taken in a function that has returned.
    let is_only = lock.is_some_and(|lock| lock.kind == "critical" && is_nameless(lock));
    let tells = |taken: &&Taken| {
        taken.lock == address || is_only && taken.by.starts_with("GOMP_critical_start")
    };
    let may_tell = |taken: &&Taken| taken.handed.contains(&address);
    let known = taken().any(|taken| tells(&taken));
    let told = known || taken().any(|taken| may_tell(&taken));
    let is_one = |taken: &&Taken| match (known, told) {
        (true, _) => tells(taken),
        (_, true) => may_tell(taken),
        _ => taken.lock == 0,
    };
    let places = taken().filter(is_one);
    let mut places: Vec<&str> = places.map(|taken| &*taken.place).collect();
    places.dedup();
    let statement = lock.and_then(|lock| match &*lock.kind {
        "lock of Python's" => Some("with"),
        "import lock" => Some("import"),
        _ => None,
    });
    if let Some(statement) = statement.filter(|_| !places.is_empty()) {
        return format!(" (by the `{statement}` that it is in at {})", places.join(" or "));
    }
    if !places.is_empty() {
        // An input or output statement holds its unit from its begin to its end.
        let is_unit = lock.is_some_and(|lock| lock.kind == "lock of a Fortran unit");
        let is_known = told || is_unit && places.len() == 1;
        let perhaps = if is_known { "" } else { "perhaps " };
        return format!(" ({perhaps}taken at {})", places.join(" or "));
    }
    let takers = lock.and_then(takers);
    takers.map_or_else(String::new, |them| format!(" ({NOT_SHOWN}; {them})"))
}

/// Whether the lock that a thread waits for may be a copy of another one: a mutex in an array or a
/// structure, of which neither the holder's stack nor a way through the code shows that the holder
/// keeps it.
pub fn may_be_copy(snapshot: &Snapshot, thread: &Thread) -> bool {
    let Some(Wait::Mutex { owner: Some(owner), read_write: false, .. }) = thread.waits else {
        return false;
    };
    let lock = lock_of(snapshot, thread).filter(|lock| {
        let is_part = lock.name.as_deref().is_none_or(|name| name.contains(['[', '.', '>']));
        let is_free =
            !(lock.shared || lock.damaged || lock.holder_gone) && lock.elsewhere.is_none();
        is_part && is_free && lock.kind == "pthread mutex" && lock.bypasses.is_empty()
    });
    let holder = snapshot.threads.iter().find(|other| other.lwp == owner);
    let holder = holder.filter(|holder| lock.is_some() && holder.lwp != thread.lwp);
    holder.is_some_and(|holder| where_taken(snapshot, holder, thread).contains(NOT_SHOWN))
}

/// The words for a lock that no stack shows to be taken.
const NOT_SHOWN: &str = "its stack does not show where";

/// Whether the lock is that of critical sections without a name, which the program has once.
fn is_nameless(lock: &Lock) -> bool {
    lock.name.as_deref().is_some_and(super::is_nameless)
}

/// Returns which code takes a lock that no stack shows to be taken: "the code takes it at a.c:3 and
/// at a.c:9".
pub fn takers(lock: &Lock) -> Option<String> {
    let (what, places) = match lock.taken_at.is_empty() {
        true => ("such locks", &lock.alike_taken_at),
        false => ("it", &lock.taken_at),
    };
    (!places.is_empty()).then(|| format!("the code takes {what} at {}", places.join(" and at ")))
}

/// The outermost frame of the program's own code that called a function of the dynamic linker: this
/// call holds the linker's lock.
fn asked_loader(holder: &Thread) -> Option<&Frame> {
    let is_loader = |frame: &Frame| is_system(frame) && frame.function.starts_with("dl");
    let at = holder.stack.iter().rposition(is_loader)?;
    holder.stack[at..].iter().find(|frame| !frame.runtime && !is_system(frame))
}

/// The lock that a thread waits for.
pub fn lock_of<'a>(snapshot: &'a Snapshot, thread: &Thread) -> Option<&'a Lock> {
    let address = match thread.waits {
        Some(Wait::Lock { lock }) => lock,
        Some(Wait::Mutex { mutex, .. }) => mutex,
        _ => return None,
    };
    snapshot.locks.iter().find(|lock| lock.address == address)
}
