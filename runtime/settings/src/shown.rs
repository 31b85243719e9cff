//! The lists and texts among the settings, where debuggers find them: addresses and lengths.

use super::affinity_format::DEFAULT;
use super::settings::Settings;
use core::ffi::c_char;
use core::sync::atomic::AtomicPtr;
use std::ffi::CString;

/// See the module. Addresses as numbers, 0 for none. Their targets stay as long as the settings.
#[derive(Default)]
pub struct Shown {
    /// nthreads-var, if it is a list: 32-bit numbers.
    nthreads: usize,
    nthreads_count: usize,
    /// Whether the environment gave nthreads-var.
    nthreads_given: bool,
    /// bind-var, if it is a list: an `omp_proc_bind_t` each.
    bind: usize,
    bind_count: usize,
    /// `OMP_ALLOCATOR`, if it was set: a text without a zero behind it.
    allocator: usize,
    allocator_length: usize,
    /// affinity-format-var until a routine sets it: a C string.
    format: AtomicPtr<c_char>,
    /// The places, if there are any: a C string.
    places: usize,
    /// The text that `places` points to.
    _places: Option<CString>,
    /// wait-policy-var: 1 passive, 2 active, 0 not set.
    wait_policy: u32,
    /// debug-var.
    debug: bool,
}

omphalos_layout::describe!(Shown {
    nthreads,
    nthreads_count,
    nthreads_given,
    bind,
    bind_count,
    allocator,
    allocator_length,
    format,
    places,
    wait_policy,
    debug,
});

impl Shown {
    pub(super) const fn new() -> Shown {
        Shown {
            nthreads: 0,
            nthreads_count: 0,
            nthreads_given: false,
            bind: 0,
            bind_count: 0,
            allocator: 0,
            allocator_length: 0,
            format: AtomicPtr::new(DEFAULT.as_ptr().cast_mut()),
            places: 0,
            _places: None,
            wait_policy: 0,
            debug: false,
        }
    }

    /// Returns the lists and texts of settings that no longer change. `debug`: debug-var.
    pub(super) fn of(settings: &Settings, debug: bool) -> Shown {
        let text = settings.places.as_ref().and_then(|places| CString::new(places.shown()).ok());
        let format = settings.affinity_format.as_deref().unwrap_or(DEFAULT);
        let allocator = settings.allocator_text.as_deref().unwrap_or_default();
        let list = |list: &[u32]| if list.is_empty() { 0 } else { list.as_ptr() as usize };
        Shown {
            nthreads: list(&settings.deeper_nthreads),
            nthreads_count: settings.deeper_nthreads.len(),
            // 0 until the processors are counted.
            nthreads_given: settings.initial.nthreads != 0,
            bind: list(&settings.deeper_bind),
            bind_count: settings.deeper_bind.len(),
            allocator: if allocator.is_empty() { 0 } else { allocator.as_ptr() as usize },
            allocator_length: allocator.len(),
            format: AtomicPtr::new(format.as_ptr().cast_mut()),
            places: text.as_ref().map_or(0, |text| text.as_ptr() as usize),
            _places: text,
            wait_policy: settings.wait_policy.map_or(0, |active| 1 + u32::from(active)),
            debug,
        }
    }

    /// Returns debug-var.
    pub fn debug(&self) -> bool {
        self.debug
    }
}
