//! The tool: it turns each event into a line.

use crate::line::{Line, Plain, number};
use crate::output::{Recorder, framed};
use crate::trace::record_line;
use core::ffi::c_int;
use omphalos_ompt::*;

impl Tool for Recorder {
    const EVENTS: Events = Events::all();

    fn start(_: Runtime<'_>) -> Option<Self> {
        let path = std::env::var_os("OMPHALOS_RECORD_OUT")?;
        Recorder::into_file(path.as_ref())
    }

    fn answered(&self, _number: c_int, name: &str, answer: Answer) {
        self.write(Line::new("answer").field("event", Plain(name)).field("answer", answer));
    }

    fn end(&self) {
        self.write(Line::new("end"));
        self.flush_out();
    }

    fn thread_begin(&self, event: ThreadBegin<'_>) {
        let number = number(event.thread);
        self.write(Line::new("thread_begin").field("thread", number).field("kind", event.kind));
    }

    fn thread_end(&self, event: ThreadEnd<'_>) {
        self.write(Line::new("thread_end").word("thread", event.thread));
    }

    fn parallel_begin(&self, event: ParallelBegin<'_>) {
        let region = number(event.region);
        let line = Line::new("parallel_begin")
            .field("region", region)
            .word("task", event.task)
            .field("requested", event.requested)
            .field("flags", event.flags)
            .address("code", event.codeptr);
        self.write(framed(line, event.frame.read()));
    }

    fn parallel_end(&self, event: ParallelEnd<'_>) {
        self.write(
            Line::new("parallel_end")
                .word("region", event.region)
                .word("task", event.task)
                .field("flags", event.flags)
                .address("code", event.codeptr),
        );
    }

    fn implicit_task(&self, event: ImplicitTask<'_>) {
        if event.endpoint == Endpoint::Begin {
            number(event.task);
        }
        let frame = match Host::get().task(0, |task| task.frame) {
            Level::Known(frame) => frame,
            _ => None,
        };
        let line = Line::new("implicit_task")
            .field("endpoint", event.endpoint)
            .word("region", event.region)
            .word("task", event.task)
            .field("team", event.team_size)
            .field("index", event.index)
            .field("flags", event.flags);
        self.write(framed(line, frame));
    }

    fn task_create(&self, event: TaskCreate<'_>) {
        let task = number(event.task);
        let line = Line::new("task_create")
            .field("task", task)
            .word("from", event.encountering)
            .field("flags", event.flags)
            .field("dependences", event.has_dependences)
            .address("code", event.codeptr);
        self.write(framed(line, event.frame.read()));
    }

    fn task_schedule(&self, event: TaskSchedule<'_>) {
        self.write(
            Line::new("task_schedule")
                .word("prior", event.prior)
                .field("status", event.status)
                .word("next", event.next),
        );
    }

    fn dependences(&self, event: Dependences<'_>) {
        let mut line = Line::new("dependences").word("task", event.task);
        for each in event.list.iter() {
            line = line.address(&format!("{:?}", each.kind), each.variable);
        }
        self.write(line);
    }

    fn task_dependence(&self, event: TaskDependence<'_>) {
        self.write(
            Line::new("task_dependence").word("source", event.source).word("sink", event.sink),
        );
    }

    fn work(&self, event: Work<'_>) {
        self.write(
            Line::new("work")
                .field("kind", event.kind)
                .field("endpoint", event.endpoint)
                .word("region", event.region)
                .word("task", event.task)
                .field("count", event.count)
                .address("code", event.codeptr),
        );
    }

    fn dispatch(&self, event: Dispatch<'_>) {
        let line = Line::new("dispatch")
            .field("kind", event.kind)
            .word("region", event.region)
            .word("task", event.task);
        self.write(match event.instance {
            Instance::Iteration(number) | Instance::Other(number) => line.field("instance", number),
            Instance::Section(code) => line.address("instance", code),
            Instance::Chunk(Some((start, count))) => {
                line.field("start", start).field("count", count)
            }
            Instance::Chunk(None) => line,
        });
    }

    fn masked(&self, event: Masked<'_>) {
        self.write(
            Line::new("masked")
                .field("endpoint", event.endpoint)
                .word("region", event.region)
                .word("task", event.task)
                .address("code", event.codeptr),
        );
    }

    fn sync_region(&self, event: SyncRegion<'_>) {
        self.sync("sync_region", event);
    }

    fn sync_region_wait(&self, event: SyncRegion<'_>) {
        self.sync("sync_region_wait", event);
    }

    fn reduction(&self, event: SyncRegion<'_>) {
        self.sync("reduction", event);
    }

    fn lock_init(&self, event: MutexAcquire<'_>) {
        self.acquire("lock_init", event);
    }

    fn lock_destroy(&self, event: Mutex<'_>) {
        self.mutex("lock_destroy", event);
    }

    fn mutex_acquire(&self, event: MutexAcquire<'_>) {
        self.acquire("mutex_acquire", event);
    }

    fn mutex_acquired(&self, event: Mutex<'_>) {
        self.mutex("mutex_acquired", event);
    }

    fn mutex_released(&self, event: Mutex<'_>) {
        self.mutex("mutex_released", event);
    }

    fn nest_lock(&self, event: NestLock<'_>) {
        self.write(
            Line::new("nest_lock")
                .field("endpoint", event.endpoint)
                .address("wait", event.wait_id)
                .address("code", event.codeptr),
        );
    }

    fn flush(&self, event: Flush<'_>) {
        self.write(Line::new("flush").word("thread", event.thread).address("code", event.codeptr));
    }

    fn cancel(&self, event: Cancel<'_>) {
        self.write(
            Line::new("cancel")
                .word("task", event.task)
                .field("flags", event.flags)
                .address("code", event.codeptr),
        );
    }

    fn control_tool(&self, event: ControlTool<'_>) -> c_int {
        self.write(
            Line::new("control_tool")
                .field("command", event.command)
                .field("modifier", event.modifier)
                .address("code", event.codeptr),
        );
        0
    }

    fn error(&self, event: Error<'_>) {
        self.write(
            Line::new("error")
                .field("severity", event.severity)
                .field("length", event.message.len())
                .address("code", event.codeptr),
        );
        if event.severity == Severity::Fatal {
            self.flush_out();
        }
    }

    fn device_initialize(&self, event: DeviceInitialize<'_>) {
        self.write(Line::new("device_initialize").field("device", event.device));
        // The recorder has a device record everything that it can.
        if let Some(device) = event.traced {
            device.record(0, true);
            device.start::<Recorder>();
        }
    }

    fn recorded(&self, device: i32, record: Record<'_>) {
        self.write(record_line(device, record));
    }

    fn device_finalize(&self, device: i32) {
        self.write(Line::new("device_finalize").field("device", device));
    }

    fn target(&self, event: Target<'_>) {
        if event.endpoint == Endpoint::Begin {
            number(event.target);
        }
        self.write(
            Line::new("target")
                .field("kind", event.kind)
                .field("endpoint", event.endpoint)
                .field("device", event.device)
                .word("task", event.task)
                .word("target", event.target)
                .address("code", event.codeptr),
        );
    }

    fn target_data_op(&self, event: TargetDataOp<'_>) {
        self.write(
            Line::new("target_data_op")
                .field("kind", event.kind)
                .field("endpoint", event.endpoint)
                .word("target", event.target)
                .field("from", event.source_device)
                .field("to", event.destination_device)
                .field("bytes", event.bytes)
                .address("code", event.codeptr),
        );
    }

    fn target_submit(&self, event: TargetSubmit<'_>) {
        self.write(
            Line::new("target_submit")
                .field("endpoint", event.endpoint)
                .word("target", event.target)
                .field("teams", event.requested_teams),
        );
    }

    fn target_map(&self, event: TargetMap<'_>) {
        self.write(
            Line::new("target_map")
                .word("target", event.target)
                .field("items", event.items.iter().count())
                .address("code", event.codeptr),
        );
    }

    fn device_load(&self, event: DeviceLoad<'_>) {
        self.write(
            Line::new("device_load")
                .field("device", event.device)
                .field("bytes", event.bytes)
                .field("module", event.module),
        );
    }

    fn device_unload(&self, device: i32, module: u64) {
        self.write(Line::new("device_unload").field("device", device).field("module", module));
    }
}
