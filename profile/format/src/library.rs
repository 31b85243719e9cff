//! Recognises files by their names. A profile names modules by these, so the recording and the
//! reading side must agree.

/// The names of OpenMP runtimes.
pub const RUNTIMES: [&str; 5] = ["libomphalos", "libgomp", "libomp", "libomp5", "libiomp5"];
/// The names of the C library's parts, of the kernel's, and of the dynamic linker.
pub const SYSTEM: [&str; 8] =
    ["libc", "libm", "libmvec", "libpthread", "ld-linux", "ld-musl", "ld", "linux-vdso"];

/// Whether a file's name, without folders, is that of a shared library with this name:
/// `libgomp.so.1`, `libgomp-a34b3233.so.1.0.0`. Programs may have any name: `libgomp-bench` is no
/// library.
pub fn is_library(name: impl AsRef<[u8]>, called: &str) -> bool {
    let Some(rest) = name.as_ref().strip_prefix(called.as_bytes()) else { return false };
    let is_whole = matches!(rest.first(), Some(b'.' | b'-'));
    let ends = |at: usize| matches!(rest.get(at + 3), None | Some(b'.' | b' '));
    is_whole && (0..rest.len()).any(|at| rest[at..].starts_with(b".so") && ends(at))
}

/// Whether the name is one of these.
pub fn is_one_of(name: impl AsRef<[u8]>, called: &[&str]) -> bool {
    called.iter().any(|called| is_library(name.as_ref(), called))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_told_from_programs() {
        let libraries = [
            "libgomp.so.1", "libgomp.so", "libgomp.so.1.0.0 (deleted)",
            "libgomp-a34b3233.so.1.0.0", "libomp.so.5", "libomp5.so", "libiomp5.so",
            "libomphalos.so",
        ];
        let others = ["libgomp", "libgomp-bench", "libgomp_test", "libgomp.solve", "libgompx.so"];
        assert!(libraries.iter().all(|name| is_one_of(name, &RUNTIMES)));
        assert!(!others.iter().any(|name| is_one_of(name, &RUNTIMES)));
        let system = ["libc.so.6", "libc-2.31.so", "ld-linux-x86-64.so.2", "ld-2.31.so"];
        assert!(system.iter().all(|name| is_one_of(name, &SYSTEM)));
        assert!(
            !["libc-bench", "ld-run", "libcudart.so", "libmpi.so.40"]
                .iter()
                .any(|it| is_one_of(it, &SYSTEM))
        );
    }
}
