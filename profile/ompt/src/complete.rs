//! Tests that nothing of OMPT is left out.

use crate::callbacks::callback;
use crate::*;
use core::ffi::{CStr, c_char, c_void};
use omphalos_abi::ompt::*;
use std::collections::BTreeSet;
use std::sync::Mutex as Lock;

/// The events that the callbacks told.
static TOLD: Lock<Vec<String>> = Lock::new(Vec::new());
static ASKED: Lock<BTreeSet<String>> = Lock::new(BTreeSet::new());

struct Listener;

impl Tool for Listener {
    const EVENTS: Events = Events::all();

    fn start(_: Runtime<'_>) -> Option<Self> {
        Some(Listener)
    }

    fn target(&self, event: Target<'_>) {
        TOLD.lock().unwrap().push(format!("{:?} {}", event.kind, event.id));
    }

    fn target_map(&self, event: TargetMap<'_>) {
        assert!(!event.target.is_there());
        TOLD.lock().unwrap().push(format!("{:?}", event.items));
    }
}

tool!(Listener);

unsafe extern "C" fn lookup(name: *const c_char) -> Option<ompt_interface_fn_t> {
    // SAFETY: the crate passes C strings.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
    ASKED.lock().unwrap().insert(name);
    None
}

#[test]
fn every_callback_can_be_asked_for() {
    for &(_, name, number) in CALLBACKS {
        assert!(callback::<Listener>(number).is_some(), "{name}");
        let is_older = |newer: &i32| Events::before_5_1(*newer) == Some(number);
        let asks = Events::all().numbers().any(|event| event == number || is_older(&event));
        assert!(asks, "{name}");
    }
    assert!(callback::<Listener>(CALLBACKS.len() as i32 + 1).is_none());
}

/// The entry points of this project's runtime.
const OWN_ENTRY_POINTS: [&str; 4] =
    ["omphalos_quiet_counts", "omphalos_sums", "omphalos_summed", "omphalos_wish"];

#[test]
fn every_entry_point_is_looked_up() {
    // SAFETY: answers as a runtime without any entry point.
    let host = unsafe { Host::new(lookup) };
    let standard = HOST_ENTRY_POINTS.iter().copied();
    // OpenMP's entry points, and those of this project's runtime.
    let known: BTreeSet<String> = standard.chain(OWN_ENTRY_POINTS).map(str::to_owned).collect();
    assert_eq!(*ASKED.lock().unwrap(), known);
    assert_eq!(host.registered(), Events::empty());
    assert!(host.target_info().is_none() && host.states().is_empty());
    let answers = host.attach_events(&Listener, Events::TARGET | Events::WORK);
    assert_eq!(answers, [(Events::WORK, Answer::Error), (Events::TARGET, Answer::Error)]);
}

/// A runtime before 5.1 has ids where later ones have words.
#[test]
fn the_older_form_of_target_events() {
    // SAFETY: as a runtime does; the lists are as long as it says, the callbacks have these types.
    unsafe {
        assert!(!ompt_start_tool(201811, core::ptr::null()).is_null());
        let function = callback::<Listener>(ompt_callback_target).unwrap();
        let target: ompt_callback_target_t = core::mem::transmute(function);
        let nowhere = core::ptr::null();
        target(ompt_target_update, ompt_scope_begin, 0, core::ptr::null_mut(), 7, nowhere);
        let function = callback::<Listener>(ompt_callback_target_map).unwrap();
        let map: ompt_callback_target_map_t = core::mem::transmute(function);
        let mut host = [0x10 as *mut c_void, 0x20 as *mut c_void];
        let (mut bytes, mut flags) = ([8, 16], [ompt_target_map_flag_to as u32, 0x1000]);
        let none = core::ptr::null_mut();
        map(7, 2, host.as_mut_ptr(), none, bytes.as_mut_ptr(), flags.as_mut_ptr(), nowhere);
    }
    let item = |host, bytes, flags| MapItem { host, device: 0, bytes, flags };
    let items = [item(16, 8, MapFlags::TO), item(32, 16, MapFlags::from(0x1000))];
    assert_eq!(*TOLD.lock().unwrap(), ["Update 7".to_owned(), format!("{items:?}")]);
}
