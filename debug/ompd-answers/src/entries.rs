//! Entry points that several generations of OMPD share, except for names and types. The macros use
//! the `HANDLES`, `held`, `code` and C types of the library that invokes them.

use core::ffi::{c_char, c_int, c_void};

use crate::icv::{self, Known};
use crate::{Answer, Code, HandleStore, Held, memory};

impl HandleStore {
    /// Makes a new handle for the answer, as a C pointer.
    pub fn handle<T>(&self, answer: Answer<Held>) -> Answer<*mut T> {
        Ok(memory::pointer(self.hand_out(answer?)?))
    }

    /// The ICV after `current`: its id, its name (the debugger frees it), its scope, and whether
    /// more follow.
    pub fn next_icv<S: TryFrom<u64>>(
        &self,
        space: &Held,
        current: u64,
    ) -> Answer<(u64, *const c_char, S, c_int)> {
        let next = current.checked_add(1).and_then(icv::with_id).ok_or(Code::BadInput)?;
        let scope = S::try_from(next.scope).map_err(|_| Code::Error)?;
        let name = memory::text(space.space.debugger(), next.name)?;
        Ok((next.id, name, scope, (next.id < icv::COUNT).into()))
    }

    /// The settings of the process: a list of texts `NAME=VALUE` that ends with null. The store
    /// records the list, so that the debugger can hand it back ([`HandleStore::take_back`]).
    pub fn control_variables(&self, space: &Held) -> Answer<*const *const c_char> {
        let list = memory::texts(space.space.debugger(), &space.control_variables()?)?;
        self.note(list.cast());
        Ok(list)
    }

    /// The ICV with an id, and the record of a handle of the scope that is asked for.
    pub fn icv_in_scope(
        &self,
        handle: *mut c_void,
        scope: impl TryInto<u64>,
        id: u64,
    ) -> Answer<(Held, Known)> {
        let held = self.any(handle as u64)?;
        let known = icv::with_id(id).ok_or(Code::BadInput)?;
        held.in_scope(scope.try_into().map_err(|_| Code::BadInput)?)?;
        Ok((held, known))
    }
}

/// Defines entry points that write their results: `NAME([KIND] handle: TYPE, argument: TYPE;
/// result: TYPE, result: TYPE) = ANSWER`. In `ANSWER` the handle's name is the [`Held`] that the
/// library's function `held` found for it. The value of `ANSWER` has a part for each result. A
/// context in front (`{context: TYPE}`) is passed to `held` too.
#[macro_export]
macro_rules! answered {
    ($(
        $(#[$doc:meta])*
        $name:ident(
            $({$context:ident: $space:ty})? $($([$kind:ident])? $argument:ident: $type:ty),*;
            $($to:ident: $value:ty),+
        ) = $answer:expr;
    )+) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// Each result's pointer is null or points to a place for it; the other arguments are as
        /// the specification says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            $($context: $space,)? $($argument: $type,)* $($to: *mut $value),+
        ) -> ompd_rc_t {
            let answer = || -> $crate::Answer<()> {
                $(let held = |kind, handle| held($context, kind, handle);)?
                $($(let $argument = held($crate::Kind::$kind, $argument)?;)?)*
                let places = ($($to),+);
                $crate::memory::Places::wanted(&places)?;
                let answer: $crate::Answer<_> = $answer;
                // SAFETY: the caller's promise.
                unsafe { $crate::memory::Places::put(places, answer?) }
            };
            code(answer())
        }
    )+};
}

/// Defines the function that gives handles of a kind back, and the one that compares two of them:
/// `KIND TYPE: RELEASE(handle), COMPARE(one, other)`.
#[macro_export]
macro_rules! given_back {
    (
        $kind:ident $given:ty: $release:ident($handle:ident),
        $compare:ident($one:ident, $other:ident)
    ) => {
        /// Gives a handle back.
        #[unsafe(no_mangle)]
        pub extern "C" fn $release($handle: *mut $given) -> ompd_rc_t {
            code(HANDLES.release($crate::Kind::$kind, $handle as u64))
        }

        $crate::answered! {
            /// Less than, equal to or greater than 0.
            $compare([$kind] $one: *mut $given, [$kind] $other: *mut $given;
                cmp_value: core::ffi::c_int) = $one.compare(&$other);
        }
    };
}

/// Defines functions that keep a debugger's table of callbacks; `Process`, a process whose
/// callbacks take a context and addresses with segments; and `at`, an address in no segment. The
/// arguments are the names of the table's callbacks, then the type of the sizes, then the order of
/// the arguments of the callback for symbols.
#[macro_export]
macro_rules! debugged_process {
    (
        $alloc:ident $free:ident $sizeof:ident $convert:ident $look:ident $read:ident $write:ident,
        $sizes:ty, |$name:ident, $found:ident, $file:ident| ($($argument:expr),*)
    ) => {
        /// The version that the debugger asked for, and its table.
        static GIVEN: std::sync::Mutex<Option<(i64, ompd_callbacks_t)>> =
            std::sync::Mutex::new(None);

        fn given() -> std::sync::MutexGuard<'static, Option<(i64, ompd_callbacks_t)>> {
            GIVEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
        }

        /// The version that the debugger asked for; 0 if it has not asked yet.
        pub fn api_version() -> i64 {
            given().map_or(0, |(version, _)| version)
        }

        /// The debugger's table, if it gave one.
        pub fn callbacks() -> Option<ompd_callbacks_t> {
            given().map(|(_, table)| table)
        }

        /// Keeps the debugger's table, if it has all callbacks that the library needs.
        pub fn keep(version: i64, callbacks: Option<&ompd_callbacks_t>) -> $crate::Answer<()> {
            let table = *callbacks.ok_or(Code::BadInput)?;
            let complete = table.$alloc.is_some()
                && table.$free.is_some()
                && table.$look.is_some()
                && table.$read.is_some();
            if !complete {
                return Err(Code::BadInput);
            }
            *given() = Some((version, table));
            Ok(())
        }

        /// Forgets the debugger, which is done.
        pub fn forget() -> $crate::Answer<()> {
            given().take().map(drop).ok_or(Code::Unsupported)
        }

        /// The process or core file of a context.
        pub fn open(context: *mut ompd_address_space_context_t) -> $crate::Answer<$crate::Held> {
            let callbacks = callbacks().ok_or(Code::Error)?;
            if context.is_null() {
                return Err(Code::BadInput);
            }
            let process = Box::new(Process { callbacks, context });
            Ok($crate::Held::space($crate::Space::open(process, context as usize)?))
        }

        /// Frees a list that the debugger hands back.
        ///
        /// # Safety
        /// The debugger hands it back once.
        pub unsafe fn take_back(
            handles: &$crate::HandleStore,
            list: *const c_void,
        ) -> $crate::Answer<()> {
            let callbacks = callbacks().ok_or(Code::Error)?;
            handles.take_back(list)?;
            let process = Process { callbacks, context: core::ptr::null_mut() };
            // SAFETY: it came from the debugger's allocation; the caller's promise.
            let freed = unsafe { $crate::Debugger::free(&process, list.cast_mut()) };
            freed.map_err(|_| Code::CallbackError)
        }

        /// A process of the debugger.
        pub struct Process {
            pub callbacks: ompd_callbacks_t,
            pub context: *mut ompd_address_space_context_t,
        }

        // SAFETY: only the debugger's callbacks follow the context; one thread at a time uses OMPD.
        unsafe impl Send for Process {}
        // SAFETY: as above.
        unsafe impl Sync for Process {}

        /// Converts a callback's code. It keeps the codes for lack of memory and for a context that
        /// means nothing to the debugger.
        fn done(code: ompd_rc_t) -> $crate::Answer<()> {
            match code {
                ompd_rc_ok => Ok(()),
                ompd_rc_nomem => Err(Code::NoMemory),
                ompd_rc_bad_input => Err(Code::BadInput),
                ompd_rc_stale_handle => Err(Code::StaleHandle),
                ompd_rc_incompatible => Err(Code::Incompatible),
                _ => Err(Code::CallbackError),
            }
        }

        /// An address in no segment.
        pub fn at(address: u64) -> ompd_address_t {
            ompd_address_t { segment: 0, address }
        }

        /// Memory of the debugger.
        pub fn allocate(callbacks: &ompd_callbacks_t, bytes: usize) -> $crate::Answer<*mut c_void> {
            let allocate = callbacks.$alloc.ok_or(Code::CallbackError)?;
            let mut memory = core::ptr::null_mut();
            // SAFETY: the debugger's function, with a place for its result.
            done(unsafe { allocate(bytes as u64, &mut memory) })?;
            if memory.is_null() { Err(Code::NoMemory) } else { Ok(memory) }
        }

        impl $crate::Debugger for Process {
            fn allocate(&self, bytes: usize) -> Result<*mut c_void, Code> {
                allocate(&self.callbacks, bytes)
            }

            unsafe fn free(&self, memory: *mut c_void) -> Result<(), Code> {
                let free = self.callbacks.$free.ok_or(Code::CallbackError)?;
                // SAFETY: the caller's promise.
                done(unsafe { free(memory) })
            }

            fn is_alike(&self) -> Result<bool, Code> {
                let mut sizes = <$sizes>::default();
                let Some(sizeof) = self.callbacks.$sizeof else { return Ok(true) };
                // SAFETY: the debugger's function, with a place for its result.
                done(unsafe { sizeof(self.context, &mut sizes) })?;
                let (one, mut turned) = (1u32, 1u32);
                let (from, to) = ((&raw const one).cast(), (&raw mut turned).cast());
                if let Some(convert) = self.callbacks.$convert {
                    // SAFETY: as above.
                    done(unsafe { convert(self.context, from, 4, 1, to) })?;
                }
                Ok((sizes.sizeof_int, sizes.sizeof_pointer) == (4, 8) && turned == 1)
            }

            fn symbol(&self, name: &CStr, file: Option<&CStr>) -> Result<u64, Code> {
                let look = self.callbacks.$look.ok_or(Code::CallbackError)?;
                let mut found = at(0);
                let ($name, $file) = (name.as_ptr(), file.map_or(core::ptr::null(), CStr::as_ptr));
                let none = core::ptr::null_mut();
                let $found = &mut found;
                // SAFETY: as above.
                done(unsafe { look(self.context, none, $($argument),*) })?;
                Ok(found.address)
            }

            fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Code> {
                let read = self.callbacks.$read.ok_or(Code::CallbackError)?;
                let (none, bytes, to) = (core::ptr::null_mut(), into.len() as _, into.as_mut_ptr());
                // SAFETY: as above.
                done(unsafe { read(self.context, none, &at(address), bytes, to.cast()) })
            }

            fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Code> {
                let write = self.callbacks.$write.ok_or(Code::CallbackError)?;
                let (none, count, from) = (core::ptr::null_mut(), bytes.len() as _, bytes.as_ptr());
                // SAFETY: as above.
                done(unsafe { write(self.context, none, &at(address), count, from.cast()) })
            }
        }
    };
}
