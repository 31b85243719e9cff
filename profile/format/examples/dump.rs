//! Prints every record of a record file, for work on the agent and the report.

use omphalos_profile_format::{Item, Reader, Record};

fn main() {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: dump FILE");
        std::process::exit(2);
    };
    let file = match std::fs::read(&path) {
        Ok(file) => file,
        Err(error) => {
            eprintln!("cannot read '{path}': {error}");
            std::process::exit(2);
        }
    };
    let reader = match Reader::new(&file) {
        Ok(reader) => reader,
        Err(error) => {
            eprintln!("'{path}' {error}");
            std::process::exit(2);
        }
    };
    let mut modules: Vec<(u64, u64, String)> = Vec::new();
    for item in reader {
        match item {
            Item::Damage(damage) => println!("damage: {damage}"),
            Item::Chunk(chunk) => {
                println!("chunk at {} of thread {}", chunk.offset, chunk.thread as i32);
                for record in chunk.records() {
                    match record {
                        Ok(Record::Stack(stack)) => {
                            println!("  Stack {}", stack.stack);
                            for pc in stack.frames.iter() {
                                println!("    {}", place(&modules, pc));
                            }
                        }
                        Ok(Record::Module(module)) => {
                            println!("  {module:x?}");
                            let path = String::from_utf8_lossy(module.path).into_owned();
                            modules.push((module.base, module.end, path));
                        }
                        Ok(record) => println!("  {record:x?}"),
                        Err(error) => println!("  {error:?}"),
                    }
                }
            }
        }
    }
}

/// An address as module and offset, as far as its module is known.
fn place(modules: &[(u64, u64, String)], pc: u64) -> String {
    match modules.iter().rfind(|(from, to, _)| (*from..*to).contains(&pc)) {
        Some((from, _, path)) => format!("{path} {:#x}", pc - from),
        None => format!("{pc:#x}"),
    }
}
