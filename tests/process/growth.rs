//! Memory: the amount that a process needs at first, and that things which come and go leave
//! nothing behind.

use super::*;

/// Tests that with two threads the runtime has less than 2 MiB resident: after the first region,
/// after the usual constructs, and after all. This counts its library's pages, most of which all
/// processes share, and the process's own memory.
pub fn memory(compiler: Compiler) -> Result<(), String> {
    const RESIDENT: u64 = 2048;
    const OWN: u64 = 512;
    let program = compiler.compile(&source("memory"), &[])?;
    on_ours(|| {
        let outcome = outcome(Command::new(&program).arg("libomphalos"), &Runtime::Omphalos)?;
        let words: Vec<&str> = outcome.stdout.split_whitespace().collect();
        let kib = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
        match ([kib(1), kib(5), kib(7)], kib(3)) {
            ([Some(resident @ 1..), Some(first @ 1..), Some(all @ 1..)], Some(own))
                if resident.max(first).max(all) < RESIDENT && own < OWN =>
            {
                Ok(())
            }
            _ => Err(format!("over {RESIDENT} or {OWN} KiB: {}", outcome.describe())),
        }
    })
}

/// Tests that memory does not grow while threads, refused threads and loaded libraries come and go
/// `times` times.
pub fn no_growth(compiler: Compiler, what: &str, times: u32) -> Result<(), String> {
    let program = compiler.compile(&source("no_growth"), &["-ldl", "-pthread"])?;
    let library = library(compiler)?;
    on_ours(|| {
        let mut command = Command::new(&program);
        command.arg(what).arg(times.to_string()).arg(&library);
        fine(&mut command, &Runtime::Omphalos).map(drop)
    })
}

/// Tests that LeakSanitizer finds nothing at the end of a program. Its own failure is accepted
/// where the system does not let it look.
pub fn leaks(compiler: Compiler) -> Result<(), String> {
    let flags = ["-O1", "-g", "-fopenmp", "-pthread", "-fsanitize=address"];
    let program = compiler.compile_with(&source("leaks"), &flags)?;
    on_ours(|| {
        let outcome = outcome(&mut Command::new(&program), &Runtime::Omphalos)?;
        let cannot = outcome.stderr.contains("LeakSanitizer has encountered a fatal error");
        match outcome.success() || cannot {
            true => Ok(()),
            false => Err(outcome.describe()),
        }
    })
}
