/*
 * A tool that records what regions do on devices, and holds the records against its callbacks: each
 * event once, with the same arguments, on its device, in times that nest. Of threads' ends, each is
 * the end of one that began on that device, and once. REGIONS=callbacks-only records nothing;
 * REGIONS=records-only registers no callback but the devices'.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "start.h"

enum { DEVICES = 4, ROOM = 1 << 16 };

/* No padding: entries are compared byte by byte. */
struct entry { int type, endpoint; int64_t kind; uint64_t region, task, count; const void *code; };

static struct entry heard[ROOM], recorded[ROOM];
static long heard_count, recorded_count, faults;
static uint64_t newest, last_time[DEVICES];
static ompt_device_t *devices[DEVICES];
static ompt_advance_buffer_cursor_t advance;
static ompt_get_record_ompt_t record_ompt;
static ompt_stop_trace_t stop_trace;
static int records = 1, callbacks = 1;

static void fault(const char *what, long number)
{
    fprintf(stderr, "regions: %s %ld\n", what, number);
    faults++;
}
static void hear(struct entry entry)
{
    long at = __atomic_fetch_add(&heard_count, 1, __ATOMIC_RELAXED);
    if (at < ROOM) heard[at] = entry;
}
static uint64_t name(ompt_data_t *data)
{
    if (data && !data->value) data->value = __atomic_add_fetch(&newest, 1, __ATOMIC_RELAXED) << 32;
    return data ? data->value : 0;
}

/* The host's regions have no teams: all workers are the devices'. */
static void on_thread_begin(ompt_thread_t kind, ompt_data_t *thread)
{
    if (kind == ompt_thread_worker)
        hear((struct entry){ompt_callback_thread_begin, 0, kind, 0, 0, 0, NULL});
}
static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
                              unsigned requested, int flags, const void *code)
{
    hear((struct entry){ompt_callback_parallel_begin, 0, flags, name(region), name(task), requested,
                        code});
}
static void on_parallel_end(ompt_data_t *region, ompt_data_t *task, int flags, const void *code)
{
    hear((struct entry){ompt_callback_parallel_end, 0, flags, name(region), name(task), 0, code});
}
static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
                    ompt_data_t *task, uint64_t count, const void *code)
{
    hear((struct entry){ompt_callback_work, endpoint, kind, name(region), name(task), count, code});
}
static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
                             unsigned threads, unsigned index, int flags)
{
    name(region), name(task);
    if (flags & ompt_task_implicit)
        hear((struct entry){ompt_callback_implicit_task, endpoint, flags, name(region), name(task),
                            (uint64_t)threads << 32 | index, NULL});
}
static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t wait, const void *code)
{
    hear((struct entry){ompt_callback_mutex_acquired, 0, kind, 0, 0, wait, code});
}
static void on_task_create(ompt_data_t *from, const ompt_frame_t *frame, ompt_data_t *task,
                           int flags, int dependences, const void *code)
{
    if (flags & ompt_task_explicit)
        hear((struct entry){ompt_callback_task_create, 0, flags, name(from), name(task),
                            dependences, code});
}
static void on_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
                    ompt_data_t *task, const void *code)
{
    hear((struct entry){ompt_callback_sync_region, endpoint, kind, name(region), name(task), 0,
                        code});
}

/* Threads of devices by their records: where each began, how often it ended. */
static struct { uint64_t thread; int device, ends; } threads[64];
static int threads_count, threads_ended;

static void begun(int device, uint64_t thread)
{
    if (threads_count == 64) {
        fault("too many threads", threads_count);
        return;
    }
    threads[threads_count].thread = thread;
    threads[threads_count++].device = device;
}
static void ended(int device, uint64_t thread)
{
    for (int at = 0; at < threads_count; at++)
        if (threads[at].thread == thread && threads[at].device == device && !threads[at].ends++) {
            threads_ended++;
            return;
        }
    fault("the end of another thread than began on device", device);
}

static void keep(int device, ompt_record_ompt_t *record)
{
    struct entry entry = {.type = record->type};
    int of_region =
        record->type != ompt_callback_thread_begin && record->type != ompt_callback_thread_end;
    if (!record->thread_id || (of_region && !record->target_id))
        fault("a record without a thread or a construct", record->type);
    switch (record->type) {
    case ompt_callback_thread_begin:
        entry.kind = record->record.thread_begin.thread_type;
        begun(device, record->thread_id);
        break;
    case ompt_callback_thread_end:
        ended(device, record->thread_id);
        return;
    case ompt_callback_parallel_begin: {
        ompt_record_parallel_begin_t *body = &record->record.parallel_begin;
        entry = (struct entry){record->type,
                               0,
                               body->flags,
                               body->parallel_id,
                               body->encountering_task_id,
                               body->requested_parallelism,
                               body->codeptr_ra};
        break;
    }
    case ompt_callback_parallel_end: {
        ompt_record_parallel_end_t *body = &record->record.parallel_end;
        entry = (struct entry){
            record->type,    0, body->flags, body->parallel_id, body->encountering_task_id, 0,
            body->codeptr_ra};
        break;
    }
    case ompt_callback_work: {
        ompt_record_work_t *body = &record->record.work;
        entry = (struct entry){record->type,  body->endpoint, body->work_type, body->parallel_id,
                               body->task_id, body->count,    body->codeptr_ra};
        break;
    }
    case ompt_callback_implicit_task: {
        ompt_record_implicit_task_t *body = &record->record.implicit_task;
        if (!(body->flags & ompt_task_implicit)) return;
        entry =
            (struct entry){record->type,  body->endpoint,
                           body->flags,   body->parallel_id,
                           body->task_id, (uint64_t)body->actual_parallelism << 32 | body->index,
                           NULL};
        break;
    }
    case ompt_callback_mutex_acquired: {
        ompt_record_mutex_t *body = &record->record.mutex;
        entry = (struct entry){record->type, 0, body->kind, 0, 0, body->wait_id, body->codeptr_ra};
        break;
    }
    case ompt_callback_task_create: {
        ompt_record_task_create_t *body = &record->record.task_create;
        if (!(body->flags & ompt_task_explicit)) return;
        entry = (struct entry){record->type,      0,
                               body->flags,       body->encountering_task_id,
                               body->new_task_id, body->has_dependences,
                               body->codeptr_ra};
        break;
    }
    case ompt_callback_sync_region: {
        ompt_record_sync_region_t *body = &record->record.sync_region;
        entry = (struct entry){record->type,      body->endpoint, body->kind,
                               body->parallel_id, body->task_id,  0,
                               body->codeptr_ra};
        break;
    }
    default:
        return;
    }
    if (recorded_count < ROOM) recorded[recorded_count++] = entry;
}
static void request(int device, ompt_buffer_t **buffer, size_t *bytes)
{
    *buffer = malloc(*bytes = 4096);
}
static void complete(int device, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t at,
                     int owned)
{
    if (bytes) do keep(device, record_ompt(buffer, at));
        while (advance(devices[device], buffer, bytes, at, &at));
    free(buffer);
}

static void on_initialize(int device, const char *type, ompt_device_t *handle,
                          ompt_function_lookup_t lookup, const char *documentation)
{
    ompt_set_trace_ompt_t set_trace = (ompt_set_trace_ompt_t)lookup("ompt_set_trace_ompt");
    ompt_start_trace_t start_trace = (ompt_start_trace_t)lookup("ompt_start_trace");
    stop_trace = (ompt_stop_trace_t)lookup("ompt_stop_trace");
    advance = (ompt_advance_buffer_cursor_t)lookup("ompt_advance_buffer_cursor");
    record_ompt = (ompt_get_record_ompt_t)lookup("ompt_get_record_ompt");
    devices[device] = handle;
    if (!records) return;
    static const int events[] = {
        ompt_callback_thread_begin, ompt_callback_parallel_begin, ompt_callback_parallel_end,
        ompt_callback_work,         ompt_callback_implicit_task,  ompt_callback_mutex_acquired,
        ompt_callback_task_create,  ompt_callback_sync_region,    ompt_callback_thread_end};
    for (unsigned i = 0; i < sizeof events / sizeof *events; i++)
        if (set_trace(handle, 1, events[i]) < ompt_set_sometimes)
            fault("no records of event", events[i]);
    if (!start_trace(handle, request, complete)) fault("no trace of device", device);
}

static int order(const void *one, const void *other)
{
    return memcmp(one, other, sizeof(struct entry));
}
static void finalize(ompt_data_t *data)
{
    if (heard_count > ROOM) fault("too many events", heard_count);
    qsort(heard, heard_count, sizeof *heard, order);
    qsort(recorded, recorded_count, sizeof *recorded, order);
    if (records && callbacks) {
        if (heard_count != recorded_count)
            fault("other than the events are the records", recorded_count - heard_count);
        for (long i = 0; i < heard_count && i < recorded_count; i++)
            if (order(&heard[i], &recorded[i])) {
                fault("another record for an event of type", heard[i].type);
                break;
            }
    }
    /* A thread that the machine kept from its gate for seconds may miss the end; not all of
     * them. */
    if (records && !threads_ended) fault("threads of devices began and none ended", threads_count);
    printf("regions: %s events, %s records\n", heard_count ? "some" : "no",
           recorded_count ? "some" : "no");
    fflush(stdout);
    if (faults) _exit(3);
}
static int initialize(ompt_function_lookup_t lookup, int host, ompt_data_t *data)
{
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    const char *asked = getenv("REGIONS");
    records = !asked || strcmp(asked, "callbacks-only");
    callbacks = !asked || strcmp(asked, "records-only");
    set(ompt_callback_device_initialize, (ompt_callback_t)on_initialize);
    if (!callbacks) return 1;
    set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
    set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
    set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
    set(ompt_callback_work, (ompt_callback_t)on_work);
    set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
    set(ompt_callback_mutex_acquired, (ompt_callback_t)on_mutex_acquired);
    set(ompt_callback_task_create, (ompt_callback_t)on_task_create);
    set(ompt_callback_sync_region, (ompt_callback_t)on_sync);
    return 1;
}
START_TOOL(initialize, finalize)
