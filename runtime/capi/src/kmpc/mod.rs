//! LLVM's and Intel's interface (libomp, libiomp5): the functions that clang, flang and Intel's
//! compilers call.

mod atomic_any;
pub mod cancel;
mod collapse;
pub mod copyprivate;
pub mod dispatch_loop;
pub mod distribute;
pub mod doacross;
pub mod fork;
pub mod integer;
pub mod query;
pub mod reduction;
pub mod schedule;
pub mod static_loop;
pub mod sync;
pub mod task;
pub mod teams;
pub mod threadprivate;
