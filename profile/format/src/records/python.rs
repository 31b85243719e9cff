//! What an interpreter executes.

use super::fields::fields;

fields! {
    /// Code of Python's, or a function of R's, once, before a stack has a frame of it
    /// ([`python::address`](crate::python::address)). Names are as the interpreter has them.
    PythonCode<'a> {
        /// Its number in the process, from 1.
        code: u32,
        /// The interpreter's `Py_Version`: it says what the table of lines is like. All bits are
        /// set for R's, where a unit is a line and there is no table.
        version: u32,
        /// The line of its first instruction.
        first_line: u32,
        /// Bytes of a letter of `file`: 1 (Latin-1), 2 or 4; 0 for UTF-8.
        file_width: u32,
        /// Its file's name.
        file: &'a [u8],
        /// Bytes of a letter of `name`.
        name_width: u32,
        /// Its qualified name.
        name: &'a [u8],
        /// The table of its lines (`co_linetable`), from its begin on; a long one may be cut off.
        lines: &'a [u8],
    }
}
