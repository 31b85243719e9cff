//! Finds the calls that may open the other end of a FIFO: open(2) of such a file returns only when
//! somebody has opened both ends.

use omphalos_ompd_view::snapshot::{Bringing, Brings, Wait};
use omphalos_ompd_view::target::text;

use super::{Stack, brings};
use crate::names::Named;
use crate::space::Space;

/// The words behind a FIFO's path: the end that nobody has opened follows them.
const NOT_OPENED: &str = "', a FIFO that nobody has opened to ";
/// O_ACCMODE, and its value for both ends.
const ACCESS: u64 = 3;
const BOTH: u64 = 2;

/// Returns the places that open the end that a thread waits for, as far as the code tells. `None`
/// if the thread waits for no FIFO.
pub fn find(space: &dyn Space, named: &Named<'_>, wait: &Wait, stack: &Stack) -> Option<Brings> {
    let Wait::Call { what, .. } = wait else { return None };
    let (path, end) = what.strip_prefix('\'')?.split_once(NOT_OPENED)?;
    let wanted = u64::from(end.starts_with("write"));
    let names = named.names();
    let mut found = names.calls_named(&|callee| arguments(callee).is_some());
    let is_it = |after: &u64| opens(space, named, *after, path, wanted);
    found.retain(|after| is_it(after) != Some(false));
    let alike = !found.iter().all(|after| is_it(after) == Some(true));
    brings(named, Bringing::Open, alike, found, Some(stack))
}

/// The arguments of a function that opens files: the number of the path, and that of the flags. The
/// flags of `fopen` are a text.
fn arguments(callee: &str) -> Option<(usize, usize)> {
    match callee {
        "open" | "open64" | "__open_2" | "__open64_2" | "fopen" | "fopen64" => Some((0, 1)),
        "openat" | "openat64" | "__openat_2" | "__openat64_2" => Some((1, 2)),
        _ => None,
    }
}

/// Whether the call that returns to `after` opens this end of the file; `None` if the code shows no
/// more than that it may.
fn opens(space: &dyn Space, named: &Named<'_>, after: u64, path: &str, end: u64) -> Option<bool> {
    let names = named.names();
    let callee = names.callee(after)?;
    let (of_path, of_flags) = arguments(&callee)?;
    let access = match callee.starts_with('f') {
        false => names.number_argument(after, of_flags).map(|flags| flags & ACCESS),
        true => {
            names.address_argument(after, of_flags).map(|at| match text(space.as_target(), at) {
                both if both.contains('+') => BOTH,
                one => u64::from(!one.starts_with('r')),
            })
        }
    };
    let name = |path: &str| path.rsplit('/').next().map(str::to_owned);
    let opened = names.address_argument(after, of_path).map(|at| text(space.as_target(), at));
    let is_end = access.map(|access| access == end || access == BOTH);
    let is_file = opened.map(|opened| name(&opened) == name(path));
    match (is_end, is_file) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}
