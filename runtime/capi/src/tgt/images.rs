//! Code for devices comes and goes with the program's files.

use super::descriptors::{File, UNIFIED_SHARED_MEMORY, shared_object};
use super::on::On;
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicU64, Ordering};
use omphalos_engine::target::played;
use omphalos_settings::{self as icv, TargetOffload};
use omphalos_sys::message;

/// The requests of `requires` directives in all files that came so far.
static REQUIRES: AtomicU64 = AtomicU64::new(0);

/// Whether devices use the host's memory, because the program requires that.
pub fn share_memory() -> bool {
    REQUIRES.load(Ordering::Relaxed) & UNIFIED_SHARED_MEMORY != 0
}

unsafe extern "C" fn register(file: *const File) {
    if !played::are_played() || file.is_null() {
        return;
    }
    // SAFETY: the program's own record, which is there until it takes it back.
    unsafe {
        let (images, entries) = ((*file).images(), (*file).entries(share_memory()));
        REQUIRES.fetch_or(entries.requires, Ordering::Relaxed);
        if share_memory() {
            played::watch::shares_memory();
        }
        let Some(image) = images.into_iter().find_map(shared_object) else { return };
        if let Err(why) = played::load(file as usize, image, &entries.all) {
            message!(
                "the program's code for devices cannot be loaded ({why}); its regions are executed \
                 on the host"
            );
        }
    }
}

extern "C" fn unregister(file: *const File) {
    played::unload(file as usize);
}

/// Returns the answer for a region that the device has no code for: the program executes it on the
/// host. Ends the program if it must run on the device.
pub fn without_code(on: &On) -> c_int {
    if icv::settings().target_offload() == TargetOffload::Mandatory {
        on.end(format_args!(
            "OMP_TARGET_OFFLOAD is mandatory and the program has no code for this device \
             (-fopenmp-targets=x86_64-pc-linux-gnu makes some)"
        ));
    }
    !0
}

extern "C" fn requires(flags: i64) {
    REQUIRES.fetch_or(flags as u64, Ordering::Relaxed);
}

extern "C" fn nothing() {}

/// For calls with a pointer that have nothing to do.
extern "C" fn nothing_with(_: *mut c_void) {}

extern "C" fn device_count() -> c_int {
    played::count()
}

omphalos_sys::entries! {
    /// A file of the program brings code for devices.
    omphalos__tgt_register_lib => register;
    /// The file takes its code back.
    omphalos__tgt_unregister_lib => unregister;
    /// Notes the flags of `requires` directives, up to LLVM 18.
    omphalos__tgt_register_requires => requires;
    /// The devices begin: they are there from the beginning.
    omphalos__tgt_rtl_init => nothing;
    /// The devices end: they stay to the end.
    omphalos__tgt_rtl_deinit => nothing;
    /// The devices begin: they are there from the beginning.
    omphalos__tgt_init_all_rtls => nothing;
    /// Asks whether a region is complete: it is when its task is.
    omphalos__tgt_target_nowait_query => nothing_with;
    /// Notes the number of iterations of a loop: no code asks for it.
    omphalos__kmpc_push_target_tripcount => nothing;
    /// As above.
    omphalos__kmpc_push_target_tripcount_mapper => nothing;
    /// Sets the reports that LLVM's library prints of its work: nothing is printed.
    omphalos__tgt_set_info_flag => nothing;
    /// Devices other than the host.
    omphalos_omp_get_num_devices => device_count;
    /// As above: the host's number.
    omphalos_omp_get_initial_device => device_count;
}
