/* Callbacks of target events: what they tell goes into the list, and some of them do what was asked
 * for. */
#include "tracer.h"
#include <unistd.h>

static long constructs;
static uint64_t newest;
static _Thread_local uint64_t op_begin;

static void is_told(void) { __atomic_add_fetch(&told, 1, __ATOMIC_RELAXED); }
static uint64_t now(void) { return device_time ? device_time(devices[0]) : 0; }
static uint64_t fresh(void) { return __atomic_add_fetch(&newest, 1, __ATOMIC_RELAXED); }

static void at_target(ompt_target_t what, ompt_scope_endpoint_t endpoint, int device, uint64_t id,
                      const void *codeptr)
{
    int begins = endpoint == ompt_scope_begin;
    is_told();
    if (device < 0 || device >= DEVICES || !devices[device]) return;
    if (!begun[device]) fault("a construct before device %d begins", device);
    add(&heard, (struct entry){.id = id,
                               .target = id,
                               .begin = now(),
                               .codeptr = codeptr,
                               .what = what,
                               .kind = begins ? TARGET_BEGIN : TARGET_END,
                               .device = device});
    if (begins) return;
    long count = __atomic_add_fetch(&constructs, 1, __ATOMIC_RELAXED);
    if (options.flush && count % options.flush == 0) {
        pthread_mutex_lock(&shared);
        if (!flush_trace(devices[device]) && !options.stop) fault("flush in a callback fails");
        pthread_mutex_unlock(&shared);
    }
    if (options.again && count == options.again) {
        /* That there is no buffer shows when one is asked for. */
        flush_trace(devices[device]);
        while (__atomic_load_n(&requests, __ATOMIC_ACQUIRE) < options.none) usleep(1000);
        options.none = 0;
        for (int tries = 0; !start_trace(devices[device], request, complete); tries++)
            if (usleep(1000), tries > 10000) return fault("the trace does not start anew");
    }
    if (options.pause && count == options.pause && !pause_trace(devices[device], 1))
        fault("pause fails");
    if (options.pause && count == options.resume && !pause_trace(devices[device], 0))
        fault("going on fails");
}
static void on_target(ompt_target_t what, ompt_scope_endpoint_t endpoint, int device,
                      ompt_data_t *task, ompt_id_t id, const void *codeptr)
{
    (void)task;
    at_target(what, endpoint, device, id, codeptr);
}
static void on_target_emi(ompt_target_t what, ompt_scope_endpoint_t endpoint, int device,
                          ompt_data_t *task, ompt_data_t *target_task, ompt_data_t *data,
                          const void *codeptr)
{
    (void)task;
    if (target_task->value) fault("a target task's word of nobody's");
    if (endpoint == ompt_scope_begin) data->value = fresh();
    at_target(what, endpoint, device, data->value, codeptr);
}
/* What both forms of the callback tell of an operation; its ids and its times are the caller's. */
static struct entry operation(ompt_target_data_op_t what, void *source, int from,
                              void *destination, int to, size_t bytes, const void *codeptr)
{
    if (what == ompt_target_data_delete && from < DEVICES && devices[from] && !bytes)
        fault("a block of device %d is deleted that has no bytes", from);
    return (struct entry){.bytes = bytes,
                          .source = source,
                          .from = from,
                          .destination = destination,
                          .to = to,
                          .codeptr = codeptr,
                          .kind = DATA_OP,
                          .what = what};
}
static void on_data_op(ompt_id_t target, ompt_id_t id, ompt_target_data_op_t what, void *source,
                       int from, void *destination, int to, size_t bytes, const void *codeptr)
{
    struct entry entry = operation(what, source, from, destination, to, bytes, codeptr);
    is_told();
    entry.id = id;
    entry.target = target;
    entry.end = now();
    entry.device = -1;
    add(&heard, entry);
}
static void on_data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *task, ompt_data_t *target,
                           ompt_id_t *id, ompt_target_data_op_t what, void *source, int from,
                           void *destination, int to, size_t bytes, const void *codeptr)
{
    if (task->value) fault("a target task's word of nobody's");
    if (endpoint == ompt_scope_begin) {
        *id = fresh();
        op_begin = now();
        return;
    }
    struct entry entry = operation(what, source, from, destination, to, bytes, codeptr);
    is_told();
    entry.id = *id;
    entry.target = target ? target->value : 0;
    entry.begin = op_begin;
    entry.end = now();
    add(&heard, entry);
}
static void on_submit(ompt_id_t target, ompt_id_t id, unsigned teams)
{
    is_told();
    add(&heard,
        (struct entry){.id = id, .target = target, .bytes = teams, .kind = SUBMIT, .device = -1});
}
static void on_submit_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target, ompt_id_t *id,
                          unsigned teams)
{
    if (endpoint == ompt_scope_begin) {
        *id = fresh();
        is_told();
        add(&heard, (struct entry){.id = *id,
                                   .target = target->value,
                                   .begin = now(),
                                   .end = -1,
                                   .bytes = teams,
                                   .kind = SUBMIT});
    }
}
static void on_map(ompt_id_t target, unsigned count, void **host, void **device, size_t *bytes,
                   unsigned *flags, const void *codeptr)
{
    is_told();
    for (unsigned i = 0; i < count; i++)
        add(&heard, (struct entry){.id = target,
                                   .target = target,
                                   .bytes = bytes[i],
                                   .source = host[i],
                                   .what = flags[i],
                                   .destination = device[i],
                                   .codeptr = codeptr,
                                   .kind = MAP});
}
static void on_map_emi(ompt_data_t *target, unsigned count, void **host, void **device,
                       size_t *bytes, unsigned *flags, const void *codeptr)
{
    on_map(target->value, count, host, device, bytes, flags, codeptr);
}

/* There are devices: whoever compiled the program, what it maps may be told. */
#define COMES(event, function) \
    if (set(event, (ompt_callback_t)function) == ompt_set_never) fault("never: %d", event);

void set_callbacks_of_targets(ompt_set_callback_t set)
{
    if (options.old) {
        MUST(ompt_callback_target, on_target)
        MUST(ompt_callback_target_data_op, on_data_op)
        set(ompt_callback_target_submit, (ompt_callback_t)on_submit);
        COMES(ompt_callback_target_map, on_map)
    } else {
        MUST(ompt_callback_target_emi, on_target_emi)
        MUST(ompt_callback_target_data_op_emi, on_data_op_emi)
        set(ompt_callback_target_submit_emi, (ompt_callback_t)on_submit_emi);
        COMES(ompt_callback_target_map_emi, on_map_emi)
    }
}
