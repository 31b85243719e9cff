//! Entry points that are the same in several generations, but for names and types. A library's
//! `HANDLES`, its `code` and its C types are found where the macros are used.

use core::ffi::{c_char, c_int, c_void};

use crate::icv::{self, Known};
use crate::{Answer, Code, HandleStore, Held, Kind, memory};

impl HandleStore {
    /// What a handle of this kind names.
    pub fn held<T>(&self, kind: Kind, handle: *const T) -> Answer<Held> {
        self.get(kind, handle as u64)
    }

    /// Hands out a handle, where the debugger wants it.
    ///
    /// # Safety
    /// `to` is null or points to a place for it.
    pub unsafe fn hand_out_to<T>(
        &self,
        to: *mut *mut T,
        answer: impl FnOnce() -> Answer<Held>,
    ) -> Answer<()> {
        memory::wanted(to)?;
        let handle = self.hand_out(answer()?)?;
        // SAFETY: the caller's promise.
        unsafe { memory::put(to, memory::pointer(handle)) }
    }

    /// Writes how two handles compare.
    ///
    /// # Safety
    /// `value` is null or points to a place for it.
    pub unsafe fn compare<T>(
        &self,
        kind: Kind,
        (one, other): (*mut T, *mut T),
        value: *mut c_int,
    ) -> Answer<()> {
        let (one, other) = (self.held(kind, one)?, self.held(kind, other)?);
        // SAFETY: the caller's promise.
        unsafe { memory::put(value, one.compare(&other)?) }
    }

    /// Writes the id and the scope of the ICV behind `current`, whether there are more, and its
    /// name, which is the debugger's to free.
    ///
    /// # Safety
    /// Each pointer is null or points to a place for its result.
    pub unsafe fn next_icv<T, S: TryFrom<u64>>(
        &self,
        (handle, current): (*const T, u64),
        (next_id, name): (*mut u64, *mut *const c_char),
        (scope, more): (*mut S, *mut c_int),
    ) -> Answer<()> {
        let space = self.held(Kind::Space, handle)?.space;
        memory::wanted(next_id)?;
        memory::wanted(name)?;
        memory::wanted(scope)?;
        memory::wanted(more)?;
        let next = current.checked_add(1).and_then(icv::with_id).ok_or(Code::BadInput)?;
        let its_scope = S::try_from(next.scope).map_err(|_| Code::Error)?;
        let its_name = memory::text(space.debugger(), next.name)?;
        // SAFETY: the caller's promise.
        unsafe {
            memory::put(next_id, next.id)?;
            memory::put(name, its_name)?;
            memory::put(scope, its_scope)?;
            memory::put(more, (next.id < icv::COUNT).into())
        }
    }

    /// Writes the settings of the process: a list of texts `NAME=VALUE` that ends with null. It is
    /// noted, so that the debugger can hand it back ([`HandleStore::take_back`]).
    ///
    /// # Safety
    /// `to` is null or points to a place for the list.
    pub unsafe fn control_variables<T>(
        &self,
        handle: *const T,
        to: *mut *const *const c_char,
    ) -> Answer<()> {
        let space = self.held(Kind::Space, handle)?;
        memory::wanted(to)?;
        let list = memory::texts(space.space.debugger(), &space.control_variables()?)?;
        self.note(list.cast());
        // SAFETY: the caller's promise.
        unsafe { memory::put(to, list) }
    }

    /// The ICV that is asked, and of what.
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

/// Defines entry points that hand out what another handle's answer names:
/// `NAME(handle: KIND TYPE, to: TYPE) = ANSWER`, where `ANSWER` is a method of [`Held`].
#[macro_export]
macro_rules! handed_out {
    ($(
        $(#[$doc:meta])*
        $name:ident($from:ident: $kind:ident $given:ty, $to:ident: $wanted:ty) = $answer:ident;
    )+) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// The second argument is null or points to a place for the handle.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($from: *mut $given, $to: *mut *mut $wanted) -> ompd_rc_t {
            let from = || $crate::HandleStore::held(&HANDLES, $crate::Kind::$kind, $from);
            let answer = || from()?.$answer();
            // SAFETY: the caller's promise.
            code(unsafe { HANDLES.hand_out_to($to, answer) })
        }
    )+};
}

/// Defines how handles of a kind go back, and how two of them compare:
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

        /// Less than, equal to or greater than 0.
        ///
        /// # Safety
        /// `cmp_value` is null or points to a place for it.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $compare(
            $one: *mut $given,
            $other: *mut $given,
            cmp_value: *mut core::ffi::c_int,
        ) -> ompd_rc_t {
            // SAFETY: the caller's promise.
            code(unsafe { HANDLES.compare($crate::Kind::$kind, ($one, $other), cmp_value) })
        }
    };
}

/// Defines `Process`, a process of a debugger whose callbacks name it by a context and addresses by
/// segments, and `at`, an address in no segment. The names are those of the table's callbacks, then
/// the type of the sizes, and how the one for symbols is called.
#[macro_export]
macro_rules! debugged_process {
    (
        $alloc:ident $free:ident $sizeof:ident $convert:ident $look:ident $read:ident $write:ident,
        $sizes:ty, |$name:ident, $found:ident, $file:ident| ($($argument:expr),*)
    ) => {
        /// A process of the debugger.
        pub struct Process {
            pub callbacks: ompd_callbacks_t,
            pub context: *mut ompd_address_space_context_t,
        }

        // SAFETY: the context is a name that only the debugger's callbacks look behind; OMPD is
        // used by one thread at a time.
        unsafe impl Send for Process {}
        // SAFETY: as above.
        unsafe impl Sync for Process {}

        /// A callback's code. One that failed for lack of memory says so, and one to which the
        /// context means nothing.
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
