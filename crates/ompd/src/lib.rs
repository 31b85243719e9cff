//! `libompd.so`: OMPD 5.0 to 6.0 over `ompd-view`, for debuggers. Only the debugger's callbacks allocate what the
//! debugger frees, and read.
