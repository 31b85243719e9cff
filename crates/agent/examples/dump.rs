//! Prints a record file record by record: `cargo run -p omphalos-agent --example dump FILE`.

use omphalos_profile_format::{Item, Reader};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: dump FILE")?;
    let bytes = std::fs::read(path)?;
    for item in Reader::new(&bytes).map_err(|error| format!("{error:?}"))? {
        match item {
            Item::Chunk(chunk) => {
                for record in chunk.records() {
                    println!("{:>10} {record:?}", chunk.thread as i32);
                }
            }
            Item::Damage(damage) => println!("damage: {damage:?}"),
        }
    }
    Ok(())
}
