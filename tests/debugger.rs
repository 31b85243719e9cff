//! OMPD as debuggers use it: small debuggers of our own, in C, read programs whose threads stand
//! at known places, alive and in a core. gdb with LLVM's extension does so too, where that is
//! installed.

use std::process::ExitCode;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::suite;

#[path = "debugger/founding.rs"]
mod founding;
#[path = "debugger/llvm.rs"]
mod llvm;
#[path = "debugger/own.rs"]
mod own;
#[path = "debugger/running.rs"]
mod running;
#[path = "debugger/standing.rs"]
mod standing;

type Look = fn(Compiler) -> Result<(), String>;

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for compiler in [Compiler::Gcc, Compiler::Clang, Compiler::Clang22, Compiler::Gfortran] {
        let title = format!("debugger::five::{}", compiler.name());
        trials.push(suite::test(title, move || own::five(compiler)));
    }
    for compiler in [Compiler::Gcc, Compiler::Gfortran] {
        let title = format!("debugger::hostile::{}", compiler.name());
        trials.push(suite::test(title, move || own::hostile(compiler)));
    }
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        for name in ["y2016", "y2013"] {
            let title = format!("debugger::{name}::{}", compiler.name());
            trials.push(suite::test(title, move || own::earlier(name, compiler)));
            let title = format!("debugger::{name}_tracking::{}", compiler.name());
            trials.push(suite::test(title, move || own::tracking(name, compiler)));
            let title = format!("debugger::{name}_runs::{}", compiler.name());
            trials.push(suite::test(title, move || running::runs(name, compiler)));
        }
        let looks: [(&str, Look); 9] = [
            ("y2013_handles", running::handles),
            ("earlier_settings", own::settings),
            ("y2013_enable", own::enable),
            ("y2013_enabling", running::enabling),
            ("llvm_commands", llvm::commands),
            ("llvm_functions", llvm::functions),
            ("llvm_without_list", llvm::without_list),
            ("llvm_step", llvm::step),
            ("llvm_places", llvm::places),
        ];
        for (what, look) in looks {
            let title = format!("debugger::{what}::{}", compiler.name());
            trials.push(suite::test(title, move || look(compiler)));
        }
    }
    trials.extend(founding::trials());
    suite::main(trials)
}
