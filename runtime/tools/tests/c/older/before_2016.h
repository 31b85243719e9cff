/*
 * What the generations of 2013 and 2014 have in common: the callbacks whose types differ in nothing
 * but how a task is named, and their registration. The including tool has SCOPE, which makes a pair
 * of callbacks for begin and end, the callbacks of its own types, `has_function`, whether any
 * region had one, and `set_own`, which registers what the other does not have by the same name.
 */
#include "register.h"

SCOPE(on_barrier, sync(0, 1, begins, r, task))
SCOPE(on_taskwait, sync(0, 2, begins, r, task))
SCOPE(on_taskgroup, sync(0, 3, begins, r, task))
SCOPE(on_wait_barrier, sync(1, 1, begins, r, task))
SCOPE(on_wait_taskwait, sync(1, 2, begins, r, task))
SCOPE(on_wait_taskgroup, sync(1, 3, begins, r, task))
SCOPE(on_loop, if (begins) count(loops); work(1, begins, r, task))
SCOPE(on_sections, work(2, begins, r, task))
SCOPE(on_single, if (begins) count(singles); work(3, begins, r, task))
SCOPE(on_other, work(4, begins, r, task))
SCOPE(on_master, master(begins, r, task))
static void on_acquired(ompt_wait_id_t w) { got(w); }
static void on_released(ompt_wait_id_t w) { gave(w); }
static void on_mutex_wait(ompt_wait_id_t w)
{
  int state = current_state();
  CHECK(state >= ompt_state_wait_lock && state <= ompt_state_wait_ordered, "state %#x", state);
  waits_for = w;
  count(mutex_waits);
}
static void on_nested(ompt_wait_id_t w) { CHECK(w, "no wait id"); count(nested); }
static void on_lock(ompt_wait_id_t w) { CHECK(w, "no wait id"); count(locks); }
static void on_control(uint64_t command, uint64_t modifier)
{
  (void)command;
  (void)modifier;
  count(controls);
}

static void ends(void)
{
  CHECK(has_function || counts[regions] == 0, "no region has a function");
  say_counts();
}

static void set_all(void)
{
  set_own();
  SET(control, on_control); SET(runtime_shutdown, ends);
  BOTH(idle, on_idle); SET(task_switch, on_switch);
  BOTH(wait_barrier, on_wait_barrier);
  BOTH(wait_taskwait, on_wait_taskwait);
  BOTH(wait_taskgroup, on_wait_taskgroup);
  BOTH(barrier, on_barrier); BOTH(taskwait, on_taskwait); BOTH(taskgroup, on_taskgroup);
  BOTH(loop, on_loop);
  BOTH(single_in_block, on_single);
  BOTH(single_others, on_other);
  BOTH(master, on_master);
  SET(release_lock, on_released);
  SET(release_nest_lock_last, on_released);
  SET(release_critical, on_released);
  SET(release_atomic, on_released); SET(release_ordered, on_released);
  SET(acquired_lock, on_acquired);
  SET(acquired_nest_lock_first, on_acquired);
  SET(acquired_critical, on_acquired);
  SET(acquired_atomic, on_acquired); SET(acquired_ordered, on_acquired);
  SET(wait_lock, on_mutex_wait);
  SET(wait_nest_lock, on_mutex_wait);
  SET(wait_critical, on_mutex_wait);
  SET(wait_atomic, on_mutex_wait); SET(wait_ordered, on_mutex_wait);
  SET(acquired_nest_lock_next, on_nested); SET(release_nest_lock_prev, on_nested);
  SET(init_lock, on_lock);
  SET(init_nest_lock, on_lock);
  SET(destroy_lock, on_lock);
  SET(destroy_nest_lock, on_lock);
  SET(flush, on_flush);
  CHECK(failed == 0, "%d events cannot be registered", failed);
  CHECK(unsupported == NEVER_OCCUR, "%d events never occur", unsupported);
  CHECK(ompt_set_callback((ompt_event_t)0, 0) == 0 && ompt_set_callback((ompt_event_t)62, 0) == 0,
        "no such event");
}
