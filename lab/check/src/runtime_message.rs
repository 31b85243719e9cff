//! Reads the runtime's messages about devices. `runtime/engine/src/target/played/watch.rs` writes
//! them, and `trace/messages.rs` acts on them.

/// The number of words of a message.
pub const WORDS: usize = 8;
/// The value of `eax` when there is a message.
pub const MAGIC: u64 = 0x4f4d_504d;

/// A message: one thing that the thread which sends it does, has done or is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuntimeMessage {
    /// A construct begins. `kind`: OMPT's number. `border`: the runtime's frames are below this
    /// address.
    Construct {
        kind: u64,
        device: i32,
        code: u64,
        border: u64,
    },
    ConstructEnds,
    /// The code of a region begins. `stack`: the start and end of its stack.
    Kernel {
        device: i32,
        stack: (u64, u64),
    },
    KernelEnds {
        stack: u64,
    },
    /// A block of a device's memory came. `pages`, `length`: its pages and the unused ones around.
    Block {
        device: i32,
        pages: u64,
        length: u64,
        block: u64,
        bytes: u64,
    },
    /// A block is freed.
    Released {
        block: u64,
    },
    /// These bytes were copied to the device.
    ToDevice {
        device: u64,
        host: u64,
        bytes: u64,
    },
    /// These bytes are about to be copied from the device.
    ToHost {
        host: u64,
        device: u64,
        bytes: u64,
    },
    /// These bytes were copied from the device.
    CopiedToHost {
        host: u64,
        device: u64,
        bytes: u64,
    },
    /// Nothing is written in these bytes of the device.
    Fresh {
        device: u64,
        bytes: u64,
    },
    /// The runtime wrote these bytes of the device.
    Wrote {
        device: u64,
        bytes: u64,
    },
    Item(Item),
    /// Item `number` of a list brought a section of the host into the device's table. `device`: the
    /// begin of its counterpart.
    Came {
        number: u64,
        start: u64,
        end: u64,
        device: u64,
    },
    /// A section leaves the table.
    Goes {
        start: u64,
        end: u64,
    },
    /// Item `number` of a list got storage of its own on the device.
    Private {
        number: u64,
        start: u64,
        end: u64,
        device: u64,
    },
    /// The map of item `number` cannot be carried out, and the program ends.
    Fault {
        kind: u64,
        number: u64,
        section: (u64, u64),
        other: (u64, u64),
    },
    /// A routine that works on devices' memory begins. `on`: the devices of source and destination.
    Routine {
        op: u64,
        source: u64,
        destination: u64,
        bytes: u64,
        code: u64,
        on: (i32, i32),
    },
    RoutineEnds,
    /// The place of the construct that comes next, in the form of LLVM's compilers.
    Located {
        location: u64,
    },
    /// Functions address a variable by the host's address, though it is mapped like any other.
    Linked {
        start: u64,
        bytes: u64,
    },
    /// A construct of `nowait` is left to a task; its list follows.
    Left,
    LeftItem {
        code: u64,
        number: u64,
        address: u64,
    },
    /// A construct asks for a device that does not exist.
    NoDevice {
        number: i32,
    },
    /// The program requires that devices use the host's memory.
    SharedMemory,
    /// The name that LLVM's compilers give an item of this thread's next list: a text, or 0.
    Called {
        number: u64,
        name: u64,
    },
    /// A construct has done everything, but does not end yet.
    Rests,
}

/// An item of a construct's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    pub number: u64,
    pub address: u64,
    pub size: u64,
    pub asks: Asks,
    pub to: bool,
    pub from: bool,
    pub always: bool,
    pub implicit: bool,
    pub delete: bool,
    /// The section of the table that the item is about.
    pub present: Option<(u64, u64)>,
}

/// The request of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    Map,
    NoLength,
    Release,
    Attach,
    Firstprivate,
    Value,
    Translate,
    /// A pointer or a descriptor, which is mapped together with its target.
    Pointer,
    Other,
}

impl RuntimeMessage {
    /// Reads a message; `None` if its first word names no kind of message.
    pub fn read(words: &[u64; WORDS]) -> Option<RuntimeMessage> {
        let [what, a, b, c, d, e, f, _] = *words;
        let device = |word: u64| word as u32 as i32;
        Some(match what {
            1 => RuntimeMessage::Construct { kind: a, device: device(b), code: c, border: d },
            2 => RuntimeMessage::ConstructEnds,
            3 => RuntimeMessage::Kernel { device: device(a), stack: (b, b.saturating_add(c)) },
            4 => RuntimeMessage::KernelEnds { stack: a },
            5 => {
                RuntimeMessage::Block { device: device(a), pages: b, length: c, block: d, bytes: e }
            }
            6 => RuntimeMessage::Released { block: a },
            7 => RuntimeMessage::ToDevice { device: a, host: b, bytes: c },
            8 => RuntimeMessage::ToHost { host: a, device: b, bytes: c },
            9 => RuntimeMessage::CopiedToHost { host: a, device: b, bytes: c },
            10 => RuntimeMessage::Fresh { device: a, bytes: b },
            11 => RuntimeMessage::Wrote { device: a, bytes: b },
            12 => RuntimeMessage::Item(item([a, b, c, d, e, f])),
            13 => RuntimeMessage::Came { number: a, start: b, end: c, device: d },
            14 => RuntimeMessage::Goes { start: a, end: b },
            15 => RuntimeMessage::Private { number: a, start: b, end: c, device: d },
            16 => RuntimeMessage::Fault { kind: a, number: b, section: (c, d), other: (e, f) },
            17 => {
                let on = (device(f), device(f >> 32));
                RuntimeMessage::Routine { op: a, source: b, destination: c, bytes: d, code: e, on }
            }
            18 => RuntimeMessage::RoutineEnds,
            19 => RuntimeMessage::Located { location: a },
            20 => RuntimeMessage::Linked { start: a, bytes: b },
            21 => RuntimeMessage::Left,
            22 => RuntimeMessage::LeftItem { code: a, number: b, address: c },
            23 => RuntimeMessage::NoDevice { number: device(a) },
            24 => RuntimeMessage::SharedMemory,
            25 => RuntimeMessage::Called { number: a, name: b },
            26 => RuntimeMessage::Rests,
            _ => return None,
        })
    }
}

fn item([number, address, size, code, start, end]: [u64; 6]) -> Item {
    let bit = |at: u32| code >> (8 + at) & 1 != 0;
    let asks = match code & 0xff {
        1 => Asks::Map,
        2 => Asks::NoLength,
        3 => Asks::Release,
        4 => Asks::Attach,
        5 => Asks::Firstprivate,
        6 => Asks::Value,
        8 => Asks::Translate,
        10 | 13 => Asks::Pointer,
        _ => Asks::Other,
    };
    Item {
        number,
        address,
        size,
        asks,
        to: bit(0),
        from: bit(1),
        always: bit(2),
        implicit: bit(4),
        delete: bit(5),
        present: (end > start).then_some((start, end)),
    }
}
