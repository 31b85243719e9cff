//! Code that an interpreter executes.

use super::fields::fields;

fields! {
    /// Code of Python's, or a function of R's. It is written once, before a stack has a frame of it
    /// ([`python::address`](crate::python::address)). Names are in the interpreter's own form.
    PythonCode<'a> {
        /// Its number in the process, from 1.
        code: u32,
        /// The interpreter's `Py_Version`, which decides the form of the table of lines. All bits
        /// are set for R, where each unit of an address is a line and there is no table.
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
        /// The table of its lines (`co_linetable`) from its beginning; a long one may be cut off.
        lines: &'a [u8],
    }
}
