//! Explicit tasks: created, executed, switched.

use crate::accounting::CREATED;
use crate::accounting::tasks::{Creation, site};
use crate::tool::on_thread;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_ompt::{TaskCreate, TaskFlags, TaskSchedule, TaskStatus};

/// A task is created.
#[inline]
pub fn create(event: TaskCreate<'_>) {
    // A taskwait with dependences is no task of the program's.
    let of_program = event.flags.intersects(TaskFlags::EXPLICIT | TaskFlags::TARGET);
    if !of_program || event.flags.contains(TaskFlags::TASKWAIT) {
        return;
    }
    on_thread(|thread, _now| {
        let creation = Creation::new(event.codeptr, thread.index.load(Relaxed));
        event.task.set(creation.0);
        thread.tasks.entry([creation.codeptr(), 0, 0]).add(site::CREATED, 1);
        thread.account.count(CREATED, 1);
    });
}

/// The thread leaves one task for another.
#[inline]
pub fn schedule(event: TaskSchedule<'_>) {
    let ended = match event.status {
        TaskStatus::Complete | TaskStatus::Cancel | TaskStatus::Detach => true,
        TaskStatus::Yield | TaskStatus::Switch => false,
        // Fulfilled events and ended taskwaits switch nothing.
        _ => return,
    };
    on_thread(|thread, now| {
        let account = &thread.account;
        account.settle(now);
        let stack = thread.stack();
        let active = stack.active();
        let (prior, next) = (event.prior.address(), event.next.address());
        if ended {
            stack.tasks.finish(prior, account, &thread.tasks, thread.index.load(Relaxed));
        } else {
            stack.tasks.suspend(account, account.class());
        }
        let flags = TaskFlags::EXPLICIT.bits();
        let class = stack.tasks.resume(next, event.next.get(), account, active, flags);
        account.switch(class, now);
        let (flags, codeptr) = stack.tasks.current();
        thread.set_task(flags, codeptr);
        // What a task did inside a barrier must be known before the barrier lets the primary go.
        if ended
            && let Some(context) = stack.top()
            && context.in_barrier
        {
            context.publish(account, now);
        }
    });
}
