//! The functions that a plugin offers, by GCC's `libgomp-plugin.h`.

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use omphalos_sys::library::Loaded;
use std::ffi::CString;

/// The versions of the interface that are known.
const VERSIONS: core::ops::RangeInclusive<c_uint> = 1..=1;

/// Bits of a plugin's capabilities.
const SHARED_MEMORY: c_uint = 1 << 0;
const NATIVE: c_uint = 1 << 1;
const OPENMP: c_uint = 1 << 2;

/// Addresses that a plugin gives of a function or a variable of an image.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pair {
    pub start: usize,
    pub end: usize,
}

type Allocate = unsafe extern "C" fn(c_int, usize) -> *mut c_void;
type Free = unsafe extern "C" fn(c_int, *mut c_void) -> bool;
type Copy = unsafe extern "C" fn(c_int, *mut c_void, *const c_void, usize) -> bool;
type Run = unsafe extern "C" fn(c_int, *mut c_void, *mut c_void, *mut *mut c_void);
type LoadImage = unsafe extern "C" fn(c_int, c_uint, *const c_void, *mut *mut Pair) -> c_int;
type UnloadImage = unsafe extern "C" fn(c_int, c_uint, *const c_void) -> bool;
type OfDevice = unsafe extern "C" fn(c_int) -> bool;
type Number = unsafe extern "C" fn() -> c_uint;
type Name = unsafe extern "C" fn() -> *const c_char;

/// A plugin, loaded for good.
#[derive(Clone, Copy)]
pub struct Functions {
    pub name: &'static str,
    /// The type of images that it takes.
    pub kind: c_int,
    /// Whether the plugin's devices run the host's code.
    pub is_native: bool,
    count: Number,
    pub init_device: OfDevice,
    pub load_image: LoadImage,
    pub unload_image: UnloadImage,
    pub alloc: Allocate,
    pub free: Free,
    pub dev2host: Copy,
    pub host2dev: Copy,
    pub dev2dev: Copy,
    pub run: Run,
}

/// Returns the name of a plugin's file.
pub fn file(name: &str) -> String {
    format!("libgomp-plugin-{name}.so.1")
}

/// A function of the plugin's, by its name behind `GOMP_OFFLOAD_`.
macro_rules! function {
    ($library:expr, $name:literal, $type:ty) => {{
        let found = find($library, concat!("GOMP_OFFLOAD_", $name, "\0"))?;
        // SAFETY: the interface says what the function is.
        unsafe { core::mem::transmute::<*mut c_void, $type>(found) }
    }};
}

/// Returns the address of a function. `name` ends in a zero byte.
#[inline(never)]
fn find(library: &Loaded, name: &'static str) -> Result<*mut c_void, String> {
    let found = CStr::from_bytes_with_nul(name.as_bytes()).ok().and_then(|name| library.find(name));
    found.ok_or_else(|| format!("it has no {}", name.trim_end_matches('\0')))
}

impl Functions {
    /// Loads the plugin.
    ///
    /// # Errors
    /// The text says why the plugin cannot be used.
    pub fn load(name: &str) -> Result<Functions, String> {
        let path = CString::new(file(name)).map_err(|error| error.to_string())?;
        let library = Loaded::load(&path)?;
        let functions = Functions::of(&library);
        if functions.is_err() {
            library.unload();
        }
        functions
    }

    fn of(library: &Loaded) -> Result<Functions, String> {
        let version = function!(library, "version", Number);
        let capabilities = function!(library, "get_caps", Number);
        let kind = function!(library, "get_type", Number);
        let name = function!(library, "get_name", Name);
        // SAFETY: the interface's functions without arguments.
        let (version, capabilities, kind, name) =
            unsafe { (version(), capabilities(), kind(), CStr::from_ptr(name())) };
        if !VERSIONS.contains(&version) {
            let (first, last) = (VERSIONS.start(), VERSIONS.end());
            return Err(format!("its version is {version}, {first} to {last} are known"));
        }
        if capabilities & OPENMP == 0 {
            return Err(String::from("it is not for OpenMP"));
        }
        if capabilities & SHARED_MEMORY != 0 {
            return Err(String::from("its devices have the host's memory"));
        }
        Ok(Functions {
            name: Box::leak(name.to_string_lossy().into_owned().into_boxed_str()),
            kind: kind as c_int,
            is_native: capabilities & NATIVE != 0,
            count: function!(library, "get_num_devices", Number),
            init_device: function!(library, "init_device", OfDevice),
            load_image: function!(library, "load_image", LoadImage),
            unload_image: function!(library, "unload_image", UnloadImage),
            alloc: function!(library, "alloc", Allocate),
            free: function!(library, "free", Free),
            dev2host: function!(library, "dev2host", Copy),
            host2dev: function!(library, "host2dev", Copy),
            dev2dev: function!(library, "dev2dev", Copy),
            run: function!(library, "run", Run),
        })
    }

    /// Returns how many devices the plugin finds.
    pub fn count(&self) -> c_int {
        // SAFETY: the interface's function.
        (unsafe { (self.count)() } as c_int).max(0)
    }
}
