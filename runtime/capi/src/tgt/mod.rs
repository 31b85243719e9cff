//! `target` in LLVM's interface (libomptarget's), on devices that the host plays.
//!
//! The entries have names of their own here: `omphalos` before LLVM's name. A program that is to
//! have these devices loads a library of LLVM's name (`libomptarget.so.19.1`) that calls them. A
//! program that loads LLVM's own library has LLVM's devices.
//!
//! Code for these devices is a shared object that the program brings (`images`); a construct's list
//! is arrays (`arrays`), which become the mapping engine's items (`lists`).

mod arrays;
mod data;
mod descriptors;
mod flags;
mod images;
mod interop;
mod lists;
mod mappers;
mod memory;
mod names;
mod on;
mod strided;
mod target;
mod words;
