//! An event that is told has the same parts for a tool that is called directly, for one that is
//! told of it the long way, and for two.

use omphalos_events::*;
use std::ffi::c_void;
use std::sync::Mutex;

static REGION: Identity = Identity::new();
static TASK: TaskTool = TaskTool::new();
static OTHER: TaskTool = TaskTool::new();
/// The events that were told, in order.
static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn told() -> Vec<String> {
    std::mem::take(&mut *TOLD.lock().unwrap())
}

fn note(line: String) {
    TOLD.lock().unwrap().push(line);
}

fn place(identity: &Identity) -> &'static str {
    match identity {
        _ if std::ptr::eq(identity, &REGION) => "region",
        _ if std::ptr::eq(identity, &TASK.identity) => "task",
        _ if std::ptr::eq(identity, &OTHER.identity) => "other",
        _ => "nobody's",
    }
}

fn tell_event(slot: usize, event: &Event<'_>) {
    let line = match *event {
        Event::TaskSchedule { prior, status, next } => {
            let next = next.map_or("none", |next| place(&next.identity));
            format!("schedule {} {status:?} {next}", place(&prior.identity))
        }
        Event::SyncRegion { kind, endpoint, region, task, codeptr } => {
            format!(
                "sync {kind:?} {endpoint:?} {} {} {codeptr}",
                place(region),
                place(&task.identity)
            )
        }
        Event::SyncWait { kind, endpoint, region, task, codeptr } => {
            format!(
                "wait {kind:?} {endpoint:?} {} {} {codeptr}",
                place(region),
                place(&task.identity)
            )
        }
        Event::Reduction { endpoint, region, task, codeptr } => {
            format!("reduction {endpoint:?} {} {} {codeptr}", place(region), place(&task.identity))
        }
        Event::Work { kind, endpoint, region, task, count, codeptr } => {
            format!(
                "work {kind:?} {endpoint:?} {} {} {count} {codeptr}",
                place(region),
                place(&task.identity)
            )
        }
        Event::Masked { endpoint, region, task, codeptr } => {
            format!("masked {endpoint:?} {} {} {codeptr}", place(region), place(&task.identity))
        }
        Event::Dispatch { kind, region, task, first, count } => {
            format!("share {kind:?} {} {} {first} {count}", place(region), place(&task.identity))
        }
        Event::MutexAcquire { kind, hint, implementation, wait_id, codeptr } => {
            format!("acquire {kind:?} {hint} {implementation} {wait_id} {codeptr}")
        }
        Event::MutexAcquired { kind, wait_id, codeptr } => {
            format!("acquired {kind:?} {wait_id} {codeptr}")
        }
        Event::MutexReleased { kind, wait_id, codeptr } => {
            format!("released {kind:?} {wait_id} {codeptr}")
        }
        Event::NestLock { endpoint, wait_id, codeptr } => {
            format!("nest {endpoint:?} {wait_id} {codeptr}")
        }
        Event::TaskCreate { encountering, task, flags, has_dependences, function, codeptr } => {
            format!(
                "create {} {} {flags} {has_dependences} {function} {codeptr}",
                place(&encountering.identity),
                place(&task.identity)
            )
        }
        _ => "another".to_owned(),
    };
    note(format!("{slot}: {line}"));
}

fn tell_all() {
    let (region, task) = (&REGION, &TASK);
    tell_tools::task_schedule(task, TaskStatus::Switch, Some(&OTHER));
    tell_tools::task_schedule(&OTHER, TaskStatus::Complete, None);
    tell_tools::task_schedule_unless(|| false, &OTHER, TaskStatus::Yield, task);
    tell_tools::task_schedule_unless(|| true, &OTHER, TaskStatus::Cancel, task);
    tell_tools::sync_region(SyncKind::Taskgroup, Endpoint::Begin, region, task, 1);
    tell_tools::closing(false, SyncKind::BarrierImplicitParallel, Endpoint::End, || {
        (region, task, 2)
    });
    tell_tools::sync_wait(SyncKind::BarrierExplicit, Endpoint::End, region, task, 3);
    tell_tools::closing(true, SyncKind::BarrierImplicitParallel, Endpoint::End, || {
        (region, task, 4)
    });
    tell_tools::reduction(Endpoint::Begin, region, task, 5);
    tell_tools::work(WorkKind::SingleOther, Endpoint::End, region, task, 77, 6);
    tell_tools::masked(Endpoint::Begin, region, task, 7);
    tell_tools::share(DispatchKind::LoopChunk, region, task, 10, 20);
    tell_tools::share(DispatchKind::Section, region, task, 0xabc, 1);
    tell_tools::mutex_acquire(MutexKind::Critical, 8, 9, 10, 11);
    tell_tools::mutex_acquired(MutexKind::Lock, 12, 13);
    tell_tools::mutex_released(MutexKind::NestLock, 14, 15);
    tell_tools::nest_lock(Endpoint::End, 16, 17);
    tell_tools::task_create(task, &OTHER, 18, true, || 19, 20);
    tell_tools::sync_of(false, SyncKind::Taskwait, Endpoint::End, || Some((region, task, 21)));
    tell_tools::sync_of(true, SyncKind::Taskwait, Endpoint::End, || Some((region, task, 22)));
    assert!(!tell_tools::sync_of(true, SyncKind::Taskwait, Endpoint::End, || None));
}

const EVENTS: [&str; 19] = [
    "schedule task Switch other",
    "schedule other Complete none",
    "schedule other Yield task",
    "sync Taskgroup Begin region task 1",
    "sync BarrierImplicitParallel End region task 2",
    "wait BarrierExplicit End region task 3",
    "wait BarrierImplicitParallel End region task 4",
    "reduction Begin region task 5",
    "work SingleOther End region task 77 6",
    "masked Begin region task 7",
    "share LoopChunk region task 10 20",
    "share Section region task 2748 1",
    "acquire Critical 8 9 10 11",
    "acquired Lock 12 13",
    "released NestLock 14 15",
    "nest End 16 17",
    "create task other 18 true 19 20",
    "sync Taskwait End region task 21",
    "wait Taskwait End region task 22",
];

type Word = *mut u64;

extern "C" fn work(
    kind: i32,
    endpoint: i32,
    region: Word,
    task: Word,
    count: u64,
    code: *const c_void,
) {
    let (region, task) = (region == REGION.word(0), task == TASK.identity.word(0));
    note(format!("direct work {kind} {endpoint} {region} {task} {count} {code:?}"));
}

extern "C" fn sync(kind: i32, endpoint: i32, region: Word, task: Word, code: *const c_void) {
    let (region, task) = (region == REGION.word(0), task == TASK.identity.word(0));
    note(format!("direct sync {kind} {endpoint} {region} {task} {code:?}"));
}

extern "C" fn close(kind: i32, endpoint: i32, region: Word, task: Word, code: *const c_void) {
    let (region, task) = (region == REGION.word(0), task == TASK.identity.word(0));
    note(format!("direct close {kind} {endpoint} {region} {task} {code:?}"));
}

#[test]
fn an_event_is_the_same_on_both_ways() {
    tell_all();
    assert!(told().is_empty(), "no tool is attached");

    let all = EVENTS.iter().map(|event| format!("0: {event}")).collect::<Vec<_>>();
    let every = u64::MAX >> 1;
    assert_eq!(attach(tell_event), Some(0));
    subscribe(0, every);
    tell_all();
    assert_eq!(told(), all, "one tool, the long way");

    // SAFETY: both have the signatures of their kinds.
    unsafe {
        connect(0, Kind::Work.bit(), work as *const () as usize);
        connect(0, Kind::SyncRegion.bit(), sync as *const () as usize);
        connect_closing(0, Kind::SyncRegion.bit(), close as *const () as usize);
    }
    tell_all();
    let mut direct = all.clone();
    direct[3] = "direct sync 6 1 true true 0x1".to_owned();
    direct[4] = "direct close 9 2 true true 0x2".to_owned();
    let direct_work = "direct work 4 2 true true 77 0x6".to_owned();
    direct[8] = direct_work.clone();
    direct[17] = "direct sync 5 2 true true 0x15".to_owned();
    assert_eq!(told(), direct, "one tool, called directly where it can be");

    assert_eq!(attach(tell_event), Some(1));
    subscribe(1, Kind::Work.bit());
    tell_all();
    let mut both = all.clone();
    both.insert(9, format!("1: {}", EVENTS[8]));
    direct.splice(8..9, [both[8].clone(), both[9].clone()]);
    assert_eq!(told(), direct, "a second tool wants one kind");

    unsubscribe(1, Kind::Work.bit());
    unsubscribe(0, Kind::Masked.bit());
    tell_all();
    let now = told();
    assert!(now.iter().any(|line| line.starts_with("direct work")), "{now:?}");
    assert!(!now.iter().any(|line| line.contains("masked")), "{now:?}");

    // There is no function for these kinds while nobody wants them.
    let asked = [Kind::TaskSchedule, Kind::SyncRegion, Kind::SyncWait, Kind::Dispatch];
    unsubscribe(0, asked.iter().fold(0, |all, kind| all | kind.bit()));
    tell_all();
    let now = told();
    assert!(now.iter().any(|line| line.starts_with("direct work")), "{now:?}");
    let gone = ["schedule", "sync", "wait", "share"];
    let is_gone = |line: &String| gone.iter().any(|word| line.contains(&format!(" {word} ")));
    assert!(!now.iter().any(is_gone), "{now:?}");
    tell_tools::sync_of(false, SyncKind::Taskwait, Endpoint::End, || {
        unreachable!("nobody wants it")
    });
    tell_tools::sync_of(true, SyncKind::Taskwait, Endpoint::End, || {
        unreachable!("nobody wants it")
    });

    detach(0);
    tell_all();
    assert!(told().is_empty(), "the first tool has gone");

    // No slot is special: the second tool is called directly, too, once it is alone.
    subscribe(1, Kind::Masked.bit() | Kind::Work.bit());
    // SAFETY: it has the signature of its kind.
    unsafe { connect(1, Kind::Work.bit(), work as *const () as usize) };
    tell_all();
    assert_eq!(told(), [direct_work, format!("1: {}", EVENTS[9])], "the second tool alone");
    // But only the tool whose words stand first can be the partner.
    assert!(!become_partner(1) && !partner::is_alone(Kind::Work));
}
