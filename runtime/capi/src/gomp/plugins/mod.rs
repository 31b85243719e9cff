//! GCC's plugins for devices (`libgomp-plugin-NAME.so.1`), which bring a device's driver to a
//! program of GCC's compilers: `OMPHALOS_DEVICES=plugins` or `plugin:NAME`.
//!
//! A plugin is a library with functions named `GOMP_OFFLOAD_*` (GCC's `libgomp-plugin.h`) that
//! calls the runtime's, named `GOMP_PLUGIN_*`. As with GCC's runtime, the dynamic linker finds the
//! file, the plugin must have the runtime's version, and the devices that it counts come behind
//! those of the plugins before. Only the first construct or routine that asks for devices loads the
//! plugin, which may bring a driver that takes its time.

mod functions;
mod images;
mod names;
mod ours;

use core::ffi::c_int;
use functions::Functions;
use images::Code;
use omphalos_engine::target::played::{self, Driver, Found, Limits, Variables};
use std::sync::Arc;

/// Says where the engine finds drivers.
pub fn offer() {
    played::offer(find);
}

/// Loads the plugins of these names.
fn find(names: &[String]) -> Found {
    let mut drivers: Vec<Box<dyn Driver>> = Vec::new();
    let mut reasons = Vec::new();
    ours::read_debug();
    for name in names {
        match Functions::load(name) {
            Err(why) => reasons.push(format!("{} cannot be used: {why}", functions::file(name))),
            Ok(functions) => {
                let count = functions.count();
                if count == 0 {
                    reasons.push(format!("{} finds none", functions::file(name)));
                }
                for number in 0..count {
                    let device = drivers.len() as c_int;
                    drivers.push(Box::new(Device { functions, number, code: Code::new(device) }));
                }
            }
        }
    }
    let none = drivers.is_empty();
    let text = format!("there is no device ({}); regions run on the host", reasons.join(", "));
    (drivers, if none { text } else { String::new() })
}

/// A device of a plugin's.
struct Device {
    functions: Functions,
    /// Its number there.
    number: c_int,
    code: Code,
}

impl Device {
    /// Ends the program if a function of the plugin's says that it failed.
    fn must(&self, done: bool, what: &str) {
        if !done {
            let name = self.functions.name;
            crate::shared::device::fatal(format_args!(
                "device {} of the plugin {name} cannot {what}",
                self.number
            ));
        }
    }
}

impl Driver for Device {
    fn begin(&self) -> Arc<Variables> {
        self.code.follow(&self.functions, self.number)
    }

    fn is_native(&self) -> bool {
        self.functions.is_native
    }

    fn code(&self, host: usize) -> Option<usize> {
        if self.functions.is_native { Some(host) } else { self.code.find(host) }
    }

    fn allocate(&self, bytes: usize, align: usize) -> Option<usize> {
        let bytes = bytes.checked_add(align - 1)?;
        // SAFETY: the plugin's interface; the device has begun.
        let begin = unsafe { (self.functions.alloc)(self.number, bytes) } as usize;
        (begin != 0).then(|| self.code.aligned(begin, align))
    }

    fn free(&self, block: usize) {
        let block = self.code.begin_of(block);
        // SAFETY: as above.
        self.must(unsafe { (self.functions.free)(self.number, block as *mut _) }, "free memory");
    }

    fn to_device(&self, device: usize, host: usize, bytes: usize) {
        let copy = self.functions.host2dev;
        // SAFETY: as above; the engine's promise.
        let done = unsafe { copy(self.number, device as *mut _, host as *const _, bytes) };
        self.must(done, "be copied to");
    }

    fn to_host(&self, host: usize, device: usize, bytes: usize) {
        let copy = self.functions.dev2host;
        // SAFETY: as above.
        let done = unsafe { copy(self.number, host as *mut _, device as *const _, bytes) };
        self.must(done, "be copied from");
    }

    fn within(&self, to: usize, from: usize, bytes: usize) {
        let copy = self.functions.dev2dev;
        // SAFETY: as above.
        let done = unsafe { copy(self.number, to as *mut _, from as *const _, bytes) };
        self.must(done, "copy its memory");
    }

    fn run(&self, code: usize, arguments: usize, limits: Limits) {
        let mut words = super::target::words(limits);
        let (code, arguments) = (code as *mut _, arguments as *mut _);
        // SAFETY: the plugin's interface: an image's code, its variables, the clauses' numbers.
        unsafe { (self.functions.run)(self.number, code, arguments, words.as_mut_ptr().cast()) };
    }
}
