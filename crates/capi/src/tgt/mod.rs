//! `target` in LLVM's interface (libomptarget's), on devices that the host plays.
//!
//! The entries have names of their own here, `omphalos` before LLVM's: a library of LLVM's name
//! (`libomptarget.so.19.1`) that hands on to them is what a program gets that is to have these
//! devices. So LLVM's own library works beside this one, for who prefers that.
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
