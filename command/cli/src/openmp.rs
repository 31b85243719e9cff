//! Finds the OpenMP interfaces that a program uses, from its undefined symbols.

use omphalos_profile_format::library;

use crate::elf::Elf;

/// A compiler family's interface to its OpenMP runtime.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Interface {
    /// GCC's: `GOMP_*`.
    Gcc,
    /// LLVM's and Intel's: `__kmpc_*`.
    Llvm,
    /// The routines of the standard: `omp_*`.
    Routines,
}

impl Interface {
    /// Returns its name in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gcc => "GCC's interface",
            Self::Llvm => "LLVM's and Intel's interface",
            Self::Routines => "the omp_* routines",
        }
    }

    fn of(symbol: &str) -> Option<Self> {
        if symbol.starts_with("GOMP_") {
            Some(Self::Gcc)
        } else if symbol.starts_with("__kmpc_") || symbol.starts_with("kmp_") {
            Some(Self::Llvm)
        } else if symbol.starts_with("omp_") || symbol.starts_with("ompx_") {
            Some(Self::Routines)
        } else {
            None
        }
    }
}

/// Whether a library's name is that of an OpenMP runtime (also `libgomp-a34b3233.so.1.0.0`).
pub fn is_runtime(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name);
    library::is_one_of(name, &library::RUNTIMES)
}

/// Whether a library's name is that of LLVM's library of devices.
pub fn is_for_devices(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name);
    name.starts_with("libomptarget.so")
}

/// Whether a library's name is one that Omphalos has too.
pub fn is_usual_name(name: &str) -> bool {
    USUAL.contains(&name)
}

/// The runtime's names in the installed tree.
pub const USUAL: [&str; 5] =
    ["libgomp.so.1", "libgomp.so.1.0.0", "libomp.so.5", "libomp.so", "libiomp5.so"];

/// An entry point: its name and the version that is asked for (may be empty).
pub type EntryPoint = (String, String);

/// Returns the OpenMP entry points that `elf` leaves to its runtime.
pub fn entry_points(elf: &Elf) -> Vec<(Interface, EntryPoint)> {
    let mut found: Vec<_> = elf
        .undefined
        .iter()
        .filter_map(|(name, version)| {
            Interface::of(name).map(|interface| (interface, (name.clone(), version.clone())))
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Whether `elf` itself defines an OpenMP runtime: one that was linked statically.
pub fn brings_its_own(elf: &Elf) -> bool {
    let marks = ["GOMP_parallel", "__kmpc_fork_call"];
    elf.defined.iter().any(|(name, _)| marks.contains(&name.as_str()))
}

/// Whether `runtime` offers an entry point: at the version asked for, or without versions.
pub fn offers(runtime: &Elf, (name, version): &EntryPoint) -> bool {
    runtime.defined.iter().any(|(defined, at)| {
        defined == name && (version.is_empty() || at == version || at.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runtimes_by_their_names() {
        for name in ["libgomp.so.1", "libomp.so.5", "libiomp5.so", "libgomp-a34b3233.so.1.0.0"] {
            assert!(is_runtime(name), "{name}");
        }
        assert!(is_runtime("/usr/lib/libomp.so"));
        for name in ["libgompertz.so", "libomptarget.so", "libopenblas.so.0"] {
            assert!(!is_runtime(name), "{name}");
        }
    }

    #[test]
    fn the_library_of_devices_by_its_name() {
        assert!(is_for_devices("libomptarget.so.19.1") && is_for_devices("/x/libomptarget.so"));
        assert!(!is_for_devices("libomp.so.5"));
    }

    #[test]
    fn interfaces_by_their_symbols() {
        assert_eq!(Interface::of("GOMP_parallel"), Some(Interface::Gcc));
        assert_eq!(Interface::of("__kmpc_barrier"), Some(Interface::Llvm));
        assert_eq!(Interface::of("omp_get_wtime"), Some(Interface::Routines));
        assert_eq!(Interface::of("ompi_comm_world"), None);
    }
}
