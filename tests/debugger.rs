//! OMPD as debuggers use it: small debuggers of our own, in C, look at programs whose threads stand
//! at known places, alive and in a core; and gdb does with LLVM's extension, where that is
//! installed.

use std::process::ExitCode;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::suite;

#[path = "debugger/llvm.rs"]
mod llvm;
#[path = "debugger/own.rs"]
mod own;
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
        }
        let title = format!("debugger::y2013_enable::{}", compiler.name());
        trials.push(suite::test(title, move || own::enable(compiler)));
        let looks: [(&str, Look); 5] = [
            ("commands", llvm::commands),
            ("functions", llvm::functions),
            ("without_list", llvm::without_list),
            ("step", llvm::step),
            ("places", llvm::places),
        ];
        for (what, look) in looks {
            let title = format!("debugger::llvm_{what}::{}", compiler.name());
            trials.push(suite::test(title, move || look(compiler)));
        }
    }
    suite::main(trials)
}
