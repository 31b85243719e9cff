//! The list of components that a user's mapper (`declare mapper`) fills. The mapper's code, which
//! the compiler made, asks how many components there are, and adds some.

use super::arrays::Argument;
use core::ffi::{c_char, c_void};
use omphalos_sys::{heap, message, process};

/// The components that a mapper has pushed so far. Compiled code only passes the address on. LLVM's
/// own library has a `std::vector` here, and a program may pass one, so this structure has the same
/// layout.
#[repr(C)]
pub struct Components {
    begin: *mut Component,
    end: *mut Component,
    room_end: *mut Component,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Component {
    base: usize,
    begin: usize,
    size: i64,
    flags: u64,
    name: *const c_char,
}

impl Components {
    pub fn new() -> Components {
        let null = core::ptr::null_mut();
        Components { begin: null, end: null, room_end: null }
    }

    fn count(&self) -> usize {
        (self.end as usize - self.begin as usize) / size_of::<Component>()
    }

    fn push(&mut self, component: Component) {
        if self.end == self.room_end {
            let (count, room) = (self.count(), (self.count() * 2).max(4));
            // SAFETY: null, or the block that was got here or by the program's `new`.
            let block = unsafe { heap::resize(self.begin.cast(), room * size_of::<Component>()) };
            if block.is_null() {
                message!("there is no memory for the {room} components of a mapper");
                process::abort();
            }
            self.begin = block.cast();
            self.end = self.begin.wrapping_add(count);
            self.room_end = self.begin.wrapping_add(room);
        }
        // SAFETY: there is room.
        unsafe { self.end.write(component) };
        self.end = self.end.wrapping_add(1);
    }

    /// Returns all components, as arguments.
    pub fn arguments(&self) -> Vec<Argument> {
        // SAFETY: so many components were written.
        let all = (0..self.count()).map(|at| unsafe { self.begin.add(at).read() });
        let argument = |Component { base, begin, size, flags, name }: Component| Argument {
            base,
            begin,
            size: usize::try_from(size).unwrap_or(0),
            flags,
            name,
        };
        all.map(argument).collect()
    }
}

impl Drop for Components {
    fn drop(&mut self) {
        // SAFETY: null, or the block that was got here.
        unsafe { heap::free(self.begin.cast()) };
    }
}

unsafe extern "C" fn count(handle: *mut c_void) -> i64 {
    // SAFETY: the handle that the mapper was called with.
    let components = unsafe { handle.cast::<Components>().as_ref() };
    components.map_or(0, |components| components.count() as i64)
}

unsafe extern "C" fn push(
    handle: *mut c_void,
    base: *mut c_void,
    begin: *mut c_void,
    size: i64,
    flags: i64,
    name: *const c_char,
) {
    // SAFETY: as above.
    if let Some(components) = unsafe { handle.cast::<Components>().as_mut() } {
        let (base, begin) = (base as usize, begin as usize);
        components.push(Component { base, begin, size, flags: flags as u64, name });
    }
}

omphalos_sys::entries! {
    /// How many components a mapper has pushed.
    omphalos__tgt_mapper_num_components => count;
    /// Pushes one more component.
    omphalos__tgt_push_mapper_component => push;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_back_as_they_were_pushed() {
        let mut components = Components::new();
        let name = core::ptr::null();
        let one = |at| Component { base: at, begin: at + 1, size: 8, flags: at as u64, name };
        (0..100).for_each(|at| components.push(one(at)));
        let all = components.arguments();
        assert_eq!((all.len(), components.count()), (100, 100));
        assert!(all.iter().enumerate().all(|(at, it)| it.base == at && it.begin == at + 1));
        assert!(Components::new().arguments().is_empty());
    }
}
