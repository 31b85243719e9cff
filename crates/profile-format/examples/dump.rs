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
    for item in reader {
        match item {
            Item::Damage(damage) => println!("damage: {damage}"),
            Item::Chunk(chunk) => {
                println!("chunk at {} of thread {}", chunk.offset, chunk.thread as i32);
                for record in chunk.records() {
                    match record {
                        Ok(Record::Stack(stack)) => {
                            let frames: Vec<String> =
                                stack.frames.iter().map(|pc| format!("{pc:#x}")).collect();
                            println!("  Stack {} {}", stack.stack, frames.join(" "));
                        }
                        Ok(record) => println!("  {record:x?}"),
                        Err(error) => println!("  {error:?}"),
                    }
                }
            }
        }
    }
}
