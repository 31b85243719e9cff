//! A finding: an error in a program's mappings, with the places that belong to it, as text and as
//! JSON.

use std::fmt::Write;

use serde_json::{Value, json};

/// A place in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The text: `app.c:12 in main`.
    pub text: String,
    /// The path that the debug information names; `None` = unknown.
    pub file: Option<String>,
    /// The line; 0 = unknown.
    pub line: u32,
    /// The name of the function, or the text in its place; empty = unknown.
    pub function: String,
}

/// The kinds of errors, a row each: the variant, and its word in JSON, which must not change.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $word:literal,)*) => {
        /// The kind of an error.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $($(#[$doc])* $kind,)*
        }

        impl Kind {
            /// Returns its word in JSON.
            pub fn word(self) -> &'static str {
                match self {
                    $(Kind::$kind => $word,)*
                }
            }
        }
    };
}

kinds! {
    /// A region follows a pointer to memory that is on the host alone.
    MissingMap = "missing-map",
    /// A region follows a host address that a clause gave it in place of a device's.
    HostAddressOnDevice = "host-address-on-device",
    /// The host reads or writes a device's memory directly.
    DeviceAddressOnHost = "device-address-on-host",
    /// A region uses another device's memory.
    OtherDevice = "other-device",
    /// A region reads bytes of a device's memory that nothing has written.
    NeverWritten = "never-written-on-device",
    /// A region reads a copy of memory that the host has changed since.
    StaleOnDevice = "stale-on-device",
    /// The host reads memory of which a device has, or had, a newer value.
    StaleOnHost = "stale-on-host",
    /// The host reads bytes that were copied from a device, where nothing had written them.
    CopiedUnwritten = "copied-unwritten",
    /// The host reads bytes that a region wrote; a copy from the host overwrote them on the device.
    Overwritten = "overwritten-on-device",
    /// The host reads bytes that it wrote; an older value from a device overwrote them.
    OverwrittenOnHost = "overwritten-on-host",
    /// A region uses bytes outside of the mapped section.
    BeyondSection = "beyond-section",
    /// A construct maps a part of an array or structure while the device has another part.
    WrongSection = "wrong-section",
    /// A region or a copy uses memory of a device that is already unmapped or freed.
    UseAfterUnmap = "use-after-unmap",
    /// A construct asks by `present` for memory that is not on the device.
    NotPresent = "not-present",
    /// A construct releases memory that is not on the device.
    ReleasedTwice = "released-twice",
    /// `target update` names memory that is not on the device: nothing is copied.
    UpdateOfAbsent = "update-of-absent",
    /// A region follows a pointer that is not attached, or a construct cannot attach it.
    PointerNotAttached = "pointer-not-attached",
    /// The host frees memory that is mapped to a device, or leaves the function of the variable.
    FreedWhileMapped = "freed-while-mapped",
    /// A section is mapped to a device when the program ends.
    NeverUnmapped = "never-unmapped",
    /// A block of `omp_target_alloc` is in use when the program ends.
    NeverFreed = "never-freed",
    /// A memory routine uses memory that is not on the device it names, or more than the block.
    WrongCopy = "wrong-copy",
    /// Two accesses to the same bytes are not ordered, and one of them writes.
    Race = "race",
    /// A section is taken from a device while a region has it mapped.
    DeletedInUse = "deleted-in-use",
    /// A construct names a device that does not exist: the host executes it.
    WrongDevice = "wrong-device",
    /// A region uses an address without memory.
    KernelFault = "kernel-fault",
    /// A device has no memory left for a mapped item.
    NoMemory = "no-memory",
}

/// One finding.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The kind of the error.
    pub kind: Kind,
    /// The variable; `None` if no variable names the memory.
    pub variable: Option<String>,
    /// The number of the device that the error is about; `None` if there is none.
    pub device: Option<i32>,
    /// The construct that makes the error, or in which it happens: its name, and its place.
    pub construct: Option<(&'static str, Place)>,
    /// The place of the access.
    pub access: Option<Place>,
    /// The error as a sentence without its full stop.
    pub what: String,
    /// Other places: the event there, and the place.
    pub others: Vec<(String, Place)>,
    /// A remedy.
    pub advice: Option<String>,
}

impl Finding {
    /// Writes the finding as text of several lines, each with its end.
    pub fn text(&self) -> String {
        let mut text = String::from("omphalos: mapping: ");
        text.push_str(&self.what);
        text.push('\n');
        let mut line = |what: &str, place: &Place| {
            let _ = writeln!(text, "    {what} at {}", place.text);
        };
        if let Some(place) = &self.access {
            line("here:", place);
        }
        if let Some((what, place)) = &self.construct {
            line(what, place);
        }
        for (what, place) in &self.others {
            line(what, place);
        }
        if let Some(advice) = &self.advice {
            let _ = writeln!(text, "    {advice}");
        }
        text
    }

    /// Returns the finding as JSON.
    pub fn json(&self) -> Value {
        let place = |place: &Place| {
            let Place { file, line, function, .. } = place;
            json!({ "file": file, "line": line, "function": function })
        };
        json!({
            "kind": self.kind.word(),
            "variable": self.variable,
            "device": self.device,
            "what": self.what,
            "construct": self.construct.as_ref().map(|(what, at)| {
                let mut construct = place(at);
                construct["construct"] = json!(what);
                construct
            }),
            "access": self.access.as_ref().map(place),
            "others": self.others.iter().map(|(what, at)| {
                let mut other = place(at);
                other["what"] = json!(what);
                other
            }).collect::<Vec<_>>(),
            "advice": self.advice,
        })
    }

    /// Returns the first place of the finding: that of the access, or of the construct.
    pub fn place(&self) -> Option<&Place> {
        self.access.as_ref().or(self.construct.as_ref().map(|(_, place)| place))
    }
}
