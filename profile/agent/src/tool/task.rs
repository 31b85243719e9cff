//! Explicit tasks: created, executed, switched.

use crate::accounting::CREATED;
use crate::accounting::sites::task as site;
use crate::accounting::tasks::Creation;
use crate::thread::{Owner, stretch};
use crate::tool::on_busy_thread;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_ompt::{TaskCreate, TaskFlags, TaskSchedule, TaskStatus};

/// Books that a task is created.
#[inline]
pub fn create(event: TaskCreate<'_>) {
    // A taskwait with dependences is no task of the program.
    let of_program = event.flags.intersects(TaskFlags::EXPLICIT | TaskFlags::TARGET);
    if !of_program || event.flags.contains(TaskFlags::TASKWAIT) {
        return;
    }
    let count = |owner: &mut Owner| {
        let thread = owner.thread();
        let creation = Creation::new(event.codeptr, thread.index.load(Relaxed));
        event.task.set(creation.0);
        thread.tasks.entry_of([creation.codeptr(), 0, 0]).add(site::CREATED, 1);
        owner.books().count(CREATED, 1);
    };
    on_busy_thread(
        |owner| {
            count(owner);
            stretch::note_told_task(owner, event.codeptr);
            // In a barrier, the primary may read the number of created tasks at any moment.
            let account = owner.books();
            if account.pace().is_in_barrier()
                && let Some(context) = owner.stack().top()
            {
                context.created(account);
            }
        },
        |owner, _now| {
            let account = owner.books();
            owner.stack().works(account);
            count(owner);
        },
    );
}

/// Books that the thread leaves one task for another.
#[inline]
pub fn schedule(event: TaskSchedule<'_>) {
    let ended = match event.status {
        TaskStatus::Complete | TaskStatus::Cancel | TaskStatus::Detach => true,
        TaskStatus::Yield | TaskStatus::Switch => false,
        // Fulfilled events and ended taskwaits switch nothing.
        _ => return,
    };
    let switch = |owner: &mut Owner, now| {
        let (thread, account) = (owner.thread(), owner.books());
        let stack = owner.stack();
        let (prior, next) = (event.prior.address(), event.next.address());
        if ended && stack.tasks.is_current(prior) {
            stack.works(account);
        }
        account.settle(now);
        let active = stack.active();
        let table = &thread.tasks;
        if ended {
            let index = thread.index.load(Relaxed);
            stack.tasks.finish(prior, event.prior.get(), account, table, index);
        } else {
            stack.tasks.suspend(account, table, account.class());
        }
        let class = stack.tasks.resume(next, event.next.get(), account, active, ended);
        stack.guesses = false;
        account.switch(class.unwrap_or_else(|| stack.guess()), now);
        let (flags, codeptr) = stack.tasks.current();
        thread.place.set_task(flags, codeptr);
        // The work of a task inside a barrier must be stored before the barrier lets the primary
        // go.
        if ended
            && let Some(context) = stack.top()
            && context.in_barrier
        {
            context.publish(account, now);
        }
    };
    let count = |owner: &mut Owner| {
        let thread = owner.thread();
        let creation = Creation(event.prior.get());
        if ended && creation.0 != 0 && !creation.is_by(thread.index.load(Relaxed)) {
            thread.tasks.entry_of([creation.codeptr(), 0, 0]).add(site::STOLEN, 1);
            stretch::note_told_task(owner, creation.codeptr());
        }
    };
    on_busy_thread(count, switch);
}
