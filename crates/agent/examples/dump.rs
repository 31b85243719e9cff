//! Prints a record file record by record, stacks as module and offset:
//! `cargo run -p omphalos-agent --example dump FILE`.

use omphalos_profile_format::{Item, Reader, Record};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: dump FILE")?;
    let bytes = std::fs::read(path)?;
    let mut modules: Vec<(u64, u64, String)> = Vec::new();
    for item in Reader::new(&bytes).map_err(|error| error.to_string())? {
        let chunk = match item {
            Item::Chunk(chunk) => chunk,
            Item::Damage(damage) => {
                println!("{damage}");
                continue;
            }
        };
        for record in chunk.records() {
            let thread = chunk.thread.cast_signed();
            match record {
                Ok(Record::Stack(stack)) => {
                    println!("{thread:>4} stack {}", stack.stack);
                    for pc in stack.frames.iter() {
                        let module =
                            modules.iter().rfind(|(from, to, _)| (*from..*to).contains(&pc));
                        match module {
                            Some((from, _, path)) => println!("         {path} {:#x}", pc - from),
                            None => println!("         {pc:#x}"),
                        }
                    }
                }
                Ok(Record::Module(module)) => {
                    let path = String::from_utf8_lossy(module.path).into_owned();
                    println!("{thread:>4} module {:#x} {path} {}", module.base, module.flags);
                    modules.push((module.base, module.end, path));
                }
                Ok(record) => println!("{thread:>4} {record:?}"),
                Err(error) => println!("{thread:>4} {error:?}"),
            }
        }
    }
    Ok(())
}
