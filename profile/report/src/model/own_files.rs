//! Decides which source files are the user's.

use crate::symbols::Function;

/// Folders of compilers, the C library and installed libraries.
const SYSTEM_FOLDERS: [&str; 4] = ["/usr/include/", "/usr/lib", "/usr/local/include/", "/opt/"];

/// Whether a file is the user's, by its name. C++'s own headers have no ending at all.
pub(crate) fn is_users(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.contains('.') && !SYSTEM_FOLDERS.iter().any(|folder| file.starts_with(folder))
}

/// Returns one of the functions that an instruction belongs to, innermost first: the one in the
/// user's code, or, where there is none, one that has a line.
pub(super) fn own_function(functions: &[Function]) -> Option<&Function> {
    let is_own = |one: &&Function| one.line > 0 && one.file.as_deref().is_some_and(is_users);
    let has_line = || functions.iter().find(|one| one.line > 0);
    functions.iter().find(is_own).or_else(has_line).or(functions.first())
}
