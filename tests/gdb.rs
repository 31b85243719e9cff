//! The commands for gdb and lldb, on the installed tree with a stripped library: programs of each
//! compiler, live, attached and as core files, in batch mode and over the machine interface.

#[path = "gdb/calls.rs"]
mod calls;
#[path = "gdb/damaged.rs"]
mod damaged;
#[path = "gdb/debugger.rs"]
mod debugger;
#[path = "gdb/fortran.rs"]
mod fortran;
#[path = "gdb/loops.rs"]
mod loops;
#[path = "gdb/modes.rs"]
mod modes;
#[path = "gdb/moving.rs"]
mod moving;
#[path = "gdb/over.rs"]
mod over;
#[path = "gdb/pages.rs"]
mod pages;
#[path = "gdb/standing.rs"]
mod standing;
#[path = "gdb/tails.rs"]
mod tails;
#[path = "gdb/trust.rs"]
mod trust;
#[path = "gdb/variables.rs"]
mod variables;
#[path = "gdb/why.rs"]
mod why;
#[path = "gdb/yard.rs"]
mod yard;

use std::process::ExitCode;

use omphalos_tests::suite;

fn main() -> ExitCode {
    if suite::stock_only() {
        return ExitCode::SUCCESS;
    }
    let mut tests = standing::tests();
    tests.extend(moving::tests());
    tests.extend(over::tests());
    tests.extend(calls::tests());
    tests.extend(loops::tests());
    tests.extend(modes::tests());
    tests.extend(fortran::tests());
    tests.extend(variables::tests());
    tests.extend(trust::tests());
    tests.extend(why::tests());
    tests.extend(tails::tests());
    tests.extend(damaged::tests());
    tests.extend(yard::tests());
    tests.extend(pages::tests());
    suite::main(tests)
}
