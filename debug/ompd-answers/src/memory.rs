//! Memory that the debugger frees: its own callback allocates it.

use core::ffi::{c_char, c_void};

use crate::{Answer, Code, Debugger};

/// Makes a C string in the debugger's memory. Zero bytes are left out.
pub fn text(debugger: &dyn Debugger, text: &str) -> Answer<*const c_char> {
    let bytes: Vec<u8> = text.bytes().filter(|&byte| byte != 0).chain([0]).collect();
    let memory = debugger.allocate(bytes.len())?;
    // SAFETY: this many bytes were allocated.
    unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), memory.cast(), bytes.len()) };
    Ok(memory.cast_const().cast())
}

/// Makes an array of words in the debugger's memory.
pub fn words(debugger: &dyn Debugger, words: &[u64]) -> Answer<*mut u64> {
    let memory: *mut u64 = debugger.allocate(size_of_val(words).max(8))?.cast();
    // SAFETY: as above. The copy is bytewise: most allocators align for any plain type, but the
    // debugger's may not.
    unsafe {
        core::ptr::copy_nonoverlapping(
            words.as_ptr().cast::<u8>(),
            memory.cast::<u8>(),
            size_of_val(words),
        );
    }
    Ok(memory)
}

/// A list of C strings that ends with null, in one piece of the debugger's memory.
pub fn texts(debugger: &dyn Debugger, texts: &[String]) -> Answer<*const *const c_char> {
    let table = (texts.len() + 1).checked_mul(8).ok_or(Code::NoMemory)?;
    let all: Vec<u8> =
        texts.iter().flat_map(|text| text.bytes().filter(|&byte| byte != 0).chain([0])).collect();
    let memory: *mut u8 = debugger.allocate(table + all.len())?.cast();
    let mut at = memory as u64 + table as u64;
    let mut pointers = Vec::with_capacity(texts.len() + 1);
    for text in texts {
        pointers.push(at);
        at += 1 + text.bytes().filter(|&byte| byte != 0).count() as u64;
    }
    pointers.push(0);
    // SAFETY: the table and the texts behind it fit; nothing overlaps.
    unsafe {
        core::ptr::copy_nonoverlapping(pointers.as_ptr().cast::<u8>(), memory, table);
        core::ptr::copy_nonoverlapping(all.as_ptr(), memory.add(table), all.len());
    }
    Ok(memory.cast_const().cast())
}

/// The place, or several places, where the debugger wants results.
pub trait Places {
    /// The results.
    type Values;
    /// Returns bad input for a null pointer.
    fn wanted(&self) -> Answer<()>;
    /// Writes the results.
    ///
    /// # Safety
    /// The places are valid, or null.
    unsafe fn put(self, values: Self::Values) -> Answer<()>;
}

impl<T> Places for *mut T {
    type Values = T;

    fn wanted(&self) -> Answer<()> {
        if self.is_null() { Err(Code::BadInput) } else { Ok(()) }
    }

    unsafe fn put(self, value: T) -> Answer<()> {
        self.wanted()?;
        // SAFETY: the caller's promise.
        unsafe { self.write_unaligned(value) };
        Ok(())
    }
}

macro_rules! several {
    ($($place:ident $value:ident $type:ident),+) => {
        impl<$($type),+> Places for ($(*mut $type,)+) {
            type Values = ($($type,)+);

            fn wanted(&self) -> Answer<()> {
                let ($($place,)+) = self;
                $($place.wanted()?;)+
                Ok(())
            }

            unsafe fn put(self, ($($value,)+): Self::Values) -> Answer<()> {
                let ($($place,)+) = self;
                // SAFETY: the caller's promise.
                unsafe { $($place.put($value)?;)+ }
                Ok(())
            }
        }
    };
}

several!(one a A, other b B);
several!(one a A, other b B, third c C);
several!(one a A, other b B, third c C, fourth d D);

/// Makes a pointer of the debugger's from any handle.
pub fn pointer<T>(handle: u64) -> *mut T {
    handle as usize as *mut c_void as *mut T
}
