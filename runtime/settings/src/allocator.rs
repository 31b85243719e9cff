//! `OMP_ALLOCATOR`: a predefined allocator, or a memory space, with or without traits. A space
//! without traits means its predefined allocator.
//!
//! `memory` makes the allocator of a space with traits, from the numbers kept here: keys and values
//! of `omp_alloctrait_t`.

use super::values::Parsed;

/// The predefined allocators, from handle 1 on.
const ALLOCATORS: [&str; 8] = [
    "omp_default_mem_alloc", "omp_large_cap_mem_alloc", "omp_const_mem_alloc",
    "omp_high_bw_mem_alloc", "omp_low_lat_mem_alloc", "omp_cgroup_mem_alloc",
    "omp_pteam_mem_alloc", "omp_thread_mem_alloc",
];

/// The predefined memory spaces, in the order of their allocators.
const SPACES: [&str; 5] = [
    "omp_default_mem_space", "omp_large_cap_mem_space", "omp_const_mem_space",
    "omp_high_bw_mem_space", "omp_low_lat_mem_space",
];

/// The handle of the allocator that `OMP_ALLOCATOR` describes by a space and traits. No predefined
/// allocator has this number, and no allocator that is made lies at this address.
pub const ENVIRONMENT_ALLOCATOR: usize = 4095;

/// The allocator that `OMP_ALLOCATOR` names or describes.
#[derive(Debug, PartialEq, Eq)]
pub struct Wanted {
    /// def-allocator-var of initial tasks.
    pub handle: usize,
    /// The traits of [`ENVIRONMENT_ALLOCATOR`].
    pub traits: Vec<(i32, usize)>,
    /// The text of the variable, for display.
    pub text: String,
}

const WANTED: &str = "a predefined allocator, e.g. omp_default_mem_alloc, or a memory space with \
                      traits, e.g. omp_default_mem_space:alignment=64,fallback=null_fb";

/// Reads the value of `OMP_ALLOCATOR`.
pub fn allocator(text: &str) -> Parsed<Wanted> {
    let text = text.trim().to_ascii_lowercase();
    if let Some(at) = ALLOCATORS.iter().position(|&name| name == text) {
        return Ok(Wanted { handle: at + 1, traits: Vec::new(), text });
    }
    let (space, traits) = text.split_once(':').unwrap_or((&text, ""));
    if !SPACES.contains(&space.trim()) || (traits.is_empty() && text.contains(':')) {
        return Err(WANTED);
    }
    // Without traits it is the space's own allocator.
    if let Some(at) = SPACES.iter().position(|&name| name == text) {
        return Ok(Wanted { handle: at + 1, traits: Vec::new(), text: ALLOCATORS[at].to_owned() });
    }
    let listed = traits.split(',').map(str::trim).filter(|_| !traits.is_empty());
    let traits = listed.map(one_trait).collect::<Option<Vec<_>>>().ok_or(WANTED)?;
    Ok(Wanted { handle: ENVIRONMENT_ALLOCATOR, traits, text })
}

/// Returns key and value of `key=value`.
fn one_trait(text: &str) -> Option<(i32, usize)> {
    let (key, value) = text.split_once('=')?;
    let (key, value) = (key.trim(), value.trim());
    let named = |names: &[(&str, usize)]| {
        names.iter().find(|&&(name, _)| name == value).map(|&(_, number)| number)
    };
    let size = || value.parse::<usize>().ok();
    Some(match key {
        "sync_hint" => {
            let hints = [("contended", 3), ("uncontended", 4), ("serialized", 5), ("private", 6)];
            (1, named(&hints).or_else(|| named(&[("sequential", 5)]))?)
        }
        "alignment" => (2, size().filter(|size| size.is_power_of_two())?),
        "access" => (3, named(&[("all", 7), ("thread", 8), ("pteam", 9), ("cgroup", 10)])?),
        "pool_size" => (4, size().filter(|&size| size > 0)?),
        "fallback" => {
            let ways = [("default_mem_fb", 11), ("null_fb", 12), ("abort_fb", 13)];
            (5, named(&ways).or_else(|| named(&[("allocator_fb", 14)]))?)
        }
        "fb_data" => (6, ALLOCATORS.iter().position(|&name| name == value)? + 1),
        "pinned" => (7, named(&[("true", 1), ("1", 1), ("false", 0), ("0", 0)])?),
        "partition" => {
            let ways = [("environment", 15), ("nearest", 16), ("blocked", 17), ("interleaved", 18)];
            (8, named(&ways)?)
        }
        _ => return None,
    })
}

/// Returns the name of a handle, for display.
pub fn name(handle: usize) -> Option<&'static str> {
    ALLOCATORS.get(handle.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocators_and_spaces() {
        assert_eq!(allocator(" OMP_thread_mem_alloc ").map(|w| w.handle), Ok(8));
        assert_eq!(name(8), Some("omp_thread_mem_alloc"));
        let bare = allocator("omp_high_bw_mem_space").unwrap();
        assert_eq!((bare.handle, bare.text.as_str()), (4, "omp_high_bw_mem_alloc"));
        let text =
            "omp_default_mem_space : alignment = 64, pool_size=4096,fallback=null_fb,pinned=true";
        let wanted = allocator(text).unwrap();
        assert_eq!(wanted.traits, [(2, 64), (4, 4096), (5, 12), (7, 1)]);
    }

    #[test]
    fn what_cannot_be_used() {
        for text in ["", "mine", "omp_default_mem_space:", "omp_default_mem_space:alignment=3"] {
            assert!(allocator(text).is_err(), "{text}");
        }
        assert!(allocator("omp_default_mem_alloc:alignment=64").is_err());
        assert!(allocator("omp_default_mem_space:pool_size=0").is_err());
        assert!(allocator("omp_default_mem_space:alignment=64,").is_err());
    }
}
