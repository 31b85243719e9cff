//! What is found, and how it is said.

use std::fmt::Write;

use serde_json::{Value, json};

/// A place in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// As it is said: `app.c:12 in main`.
    pub text: String,
    /// The path that the debug information names; `None` = unknown.
    pub file: Option<String>,
    /// 0 = unknown.
    pub line: u32,
    /// The name of the function, or what is said in its place; empty = unknown.
    pub function: String,
}

/// What kind of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A region follows a pointer to memory that is on the host alone.
    MissingMap,
    /// A region follows a host address that a clause gave it in place of a device's.
    HostAddressOnDevice,
    /// The host reads or writes a device's memory directly.
    DeviceAddressOnHost,
    /// A region uses another device's memory.
    OtherDevice,
    /// A region reads a device's memory that nobody has written there.
    NeverWritten,
    /// A region reads a copy of memory that the host has changed since.
    StaleOnDevice,
    /// The host reads memory of which a device has or had a newer value.
    StaleOnHost,
    /// The host reads what was copied from a device, where nobody had written it.
    CopiedUnwritten,
    /// The host reads what a region wrote; a copy from the host overwrote it on the device.
    Overwritten,
    /// The host reads what it wrote; an older value from a device overwrote it.
    OverwrittenOnHost,
    /// A region uses bytes outside of the mapped section.
    BeyondSection,
    /// A construct maps memory of an array or structure of which the device has another part.
    WrongSection,
    /// A region or a copy uses memory of a device that was unmapped or freed before.
    UseAfterUnmap,
    /// A construct asks by `present` for memory that is not on the device.
    NotPresent,
    /// A construct releases memory that is not on the device.
    ReleasedTwice,
    /// `target update` names memory that is not on the device: nothing is copied.
    UpdateOfAbsent,
    /// A region follows a pointer that is not attached, or a construct cannot attach it.
    PointerNotAttached,
    /// The host frees memory that is mapped to a device, or leaves the function of the variable.
    FreedWhileMapped,
    /// A section is mapped to a device when the program ends.
    NeverUnmapped,
    /// A block of `omp_target_alloc` is in use when the program ends.
    NeverFreed,
    /// A memory routine uses memory that is not on the device it names, or more than the block.
    WrongCopy,
    /// Two users of the same bytes are not ordered, and one of them writes.
    Race,
    /// A section is taken from a device while a region has it mapped.
    DeletedInUse,
    /// A construct names a device that does not exist: the host executes it.
    WrongDevice,
    /// A region uses an address where nothing is.
    KernelFault,
    /// A device has no memory left for what is mapped.
    NoMemory,
}

impl Kind {
    /// The word for it in JSON, which stays.
    pub fn word(self) -> &'static str {
        match self {
            Kind::MissingMap => "missing-map",
            Kind::HostAddressOnDevice => "host-address-on-device",
            Kind::DeviceAddressOnHost => "device-address-on-host",
            Kind::OtherDevice => "other-device",
            Kind::NeverWritten => "never-written-on-device",
            Kind::StaleOnDevice => "stale-on-device",
            Kind::StaleOnHost => "stale-on-host",
            Kind::CopiedUnwritten => "copied-unwritten",
            Kind::Overwritten => "overwritten-on-device",
            Kind::OverwrittenOnHost => "overwritten-on-host",
            Kind::BeyondSection => "beyond-section",
            Kind::WrongSection => "wrong-section",
            Kind::UseAfterUnmap => "use-after-unmap",
            Kind::NotPresent => "not-present",
            Kind::ReleasedTwice => "released-twice",
            Kind::UpdateOfAbsent => "update-of-absent",
            Kind::PointerNotAttached => "pointer-not-attached",
            Kind::FreedWhileMapped => "freed-while-mapped",
            Kind::NeverUnmapped => "never-unmapped",
            Kind::NeverFreed => "never-freed",
            Kind::WrongCopy => "wrong-copy",
            Kind::Race => "race",
            Kind::DeletedInUse => "deleted-in-use",
            Kind::WrongDevice => "wrong-device",
            Kind::KernelFault => "kernel-fault",
            Kind::NoMemory => "no-memory",
        }
    }
}

/// One finding.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The kind of the error.
    pub kind: Kind,
    /// `None` if nothing names it.
    pub variable: Option<String>,
    /// The number of the device that the error is about; `None` if there is none.
    pub device: Option<i32>,
    /// The construct that does it, or in which it happens: what it is, and where.
    pub construct: Option<(&'static str, Place)>,
    /// The place of the access.
    pub access: Option<Place>,
    /// What happens, as a sentence without its full stop.
    pub what: String,
    /// Other places: what happened there, and where.
    pub others: Vec<(String, Place)>,
    /// What would mend it.
    pub advice: Option<String>,
}

impl Finding {
    /// As text, of several lines, each with its end.
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

    /// As JSON.
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

    /// The line that the finding is about first: of the access, or of the construct.
    pub fn place(&self) -> Option<&Place> {
        self.access.as_ref().or(self.construct.as_ref().map(|(_, place)| place))
    }
}
