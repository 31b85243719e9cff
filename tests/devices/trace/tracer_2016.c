/*
 * A tool of 2016, of either variant (OMPT_2016_IDS): traces every device by that year's functions,
 * and at the end of the runtime holds the records against its callbacks. It writes "2016: records"
 * then, or ends the program with status 3.
 */
#define _GNU_SOURCE
#include "ompt-2016.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 4096
enum { BUFFER = 512 };
struct entry { uint64_t id, target, begin, end, bytes; const void *host, *device; int kind, what; };
static struct entry heard[MOST], read_back[MOST];
static int heards, reads, faults, given;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ompt_function_lookup_t of_device;
static ompt_target_device_t *devices[8];

static void fault(const char *what)
{
    if (faults++ < 10) fprintf(stderr, "2016: %s\n", what);
}
static void add(struct entry *list, int *count, struct entry entry)
{
    pthread_mutex_lock(&lock);
    if (*count < MOST) list[(*count)++] = entry;
    pthread_mutex_unlock(&lock);
}
static uint64_t now(void)
{
    return ((ompt_target_get_time_t)of_device("ompt_target_get_time"))(devices[0]);
}

static void on_data(ompt_id_t target, ompt_id_t id, ompt_target_data_op_t what, void *host,
                    void *device, size_t bytes)
{
    add(heard, &heards,
        (struct entry){id, target, 0, 0, bytes, host, device, ompt_event_target_data, what});
}
static void on_submit(ompt_id_t target, ompt_id_t id, uint32_t requested, uint32_t granted)
{
    (void)requested, (void)granted;
    add(heard, &heards, (struct entry){id, target, now(), 0, 0, 0, 0, ompt_event_target_submit, 0});
}
static void on_map(ompt_id_t target, uint32_t count, void **host, void **device, size_t *bytes,
                   uint32_t *flags)
{
    for (uint32_t i = 0; i < count; i++)
        add(heard, &heards,
            (struct entry){target, target, 0, 0, bytes[i], host[i], device[i],
                           ompt_event_target_data_map, flags[i]});
}

static void request(int32_t device, ompt_target_buffer_t **buffer, size_t *bytes)
{
    (void)device;
    *buffer = malloc(*bytes = BUFFER);
    given++;
}
static void complete(int32_t device, const ompt_target_buffer_t *buffer, size_t bytes,
                     ompt_target_buffer_cursor_t begin, ompt_bool_t owned)
{
    ompt_target_buffer_t *at = (ompt_target_buffer_t *)buffer;
    if (device < 0 || device > 7 || !devices[device] || !owned || !bytes) fault("a buffer");
    do {
        if (((ompt_target_buffer_get_record_type_t)of_device("ompt_target_buffer_get_record_type"))(
                at, begin) != ompt_record_ompt)
            fault("a record that is none");
        ompt_record_ompt_t *record = ((ompt_target_buffer_get_record_ompt_t)of_device(
            "ompt_target_buffer_get_record_ompt"))(at, begin);
        struct entry entry = {
            .target = record->target_id, .begin = record->time, .kind = record->type};
        if (!record->thread_id) fault("a record without a thread");
        if (record->type == ompt_event_target_data) {
            ompt_record_target_data_t *data = &record->record.data;
            entry.id = data->host_op_id, entry.what = data->optype, entry.end = data->end_time;
            entry.host = data->host_addr, entry.device = data->device_addr,
            entry.bytes = data->bytes;
            if (entry.end < entry.begin) fault("times");
            add(read_back, &reads, entry);
        } else if (record->type == ompt_event_target_submit) {
            entry.id = record->record.kernel.host_op_id, entry.end = record->record.kernel.end_time;
            if (record->record.kernel.granted_num_teams != 1 || entry.end < entry.begin)
                fault("a kernel");
            add(read_back, &reads, entry);
        } else if (record->type == ompt_event_target_data_map) {
            ompt_record_target_data_map_t *map = &record->record.data_map;
            for (uint32_t i = 0; i < map->nitems; i++) {
                entry.id = entry.target, entry.host = map->host_addr[i],
                entry.device = map->device_addr[i];
                entry.bytes = map->bytes[i], entry.what = map->mapping_flags[i];
                add(read_back, &reads, entry);
            }
        } else
            fault("a record's type");
    } while (((ompt_target_advance_buffer_cursor_t)of_device("ompt_target_advance_buffer_cursor"))(
        at, bytes, begin, &begin));
    free(at);
    given--;
}

static int order(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->kind != y->kind) return x->kind - y->kind;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return x->host < y->host ? -1 : x->host > y->host;
}
static void on_shutdown(void)
{
    qsort(heard, heards, sizeof *heard, order);
    qsort(read_back, reads, sizeof *read_back, order);
    if (given) fault("buffers were not given back");
    if (heards != reads || heards == MOST) fault("callbacks and records differ in number");
    for (int i = 0; i < reads && i < heards; i++) {
        struct entry *x = &heard[i], *y = &read_back[i];
        if (order(x, y) || x->target != y->target || x->bytes != y->bytes ||
            x->device != y->device || x->what != y->what)
            fault("a callback and its record differ");
        if (x->begin > y->begin) fault("a region before it begins");
    }
    printf("2016: %s\n", reads ? "records" : "no records");
    fflush(stdout);
    if (faults) _exit(3);
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
    (void)runtime, (void)version;
#ifdef OMPT_2016_IDS
    lookup("ompt_get_thread_id");
#else
    lookup("ompt_get_thread_data");
#endif
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    ompt_target_get_device_info_t info =
        (ompt_target_get_device_info_t)lookup("ompt_target_get_device_info");
    int count = ((ompt_get_num_devices_t)lookup("ompt_get_num_devices"))();
    set(ompt_event_target_data, (ompt_callback_t)on_data);
    set(ompt_event_target_submit, (ompt_callback_t)on_submit);
    set(ompt_event_target_data_map, (ompt_callback_t)on_map);
    set(ompt_event_runtime_shutdown, on_shutdown);
    if (count < 1) fault("no device");
    for (int device = 0; device < count && device < 8; device++) {
        const char *type = NULL, *documentation = NULL;
        if (!info(device, &type, &devices[device], &of_device, &documentation))
            return fault("no device's lookup");
        if (!type || !documentation || !devices[device] || !of_device)
            return fault("what a device is");
        ompt_target_set_trace_ompt_t trace =
            (ompt_target_set_trace_ompt_t)of_device("ompt_target_set_trace_ompt");
        if (trace(devices[device], 1, ompt_event_target_data) != 4 ||
            trace(devices[device], 1, 0) != 3)
            fault("no events");
        if (trace(devices[device], 1, ompt_event_idle) != 1 || trace(devices[device], 1, 99) != 0)
            fault("other events");
        if (!((ompt_target_start_trace_t)of_device("ompt_target_start_trace"))(
                devices[device], request, complete, NULL))
            fault("the trace does not start");
        ompt_target_pause_trace_t pause =
            (ompt_target_pause_trace_t)of_device("ompt_target_pause_trace");
        if (!pause(devices[device], 1) || !pause(devices[device], 0)) fault("it does not pause");
        if (((ompt_target_set_trace_native_t)of_device("ompt_target_set_trace_native"))(
                devices[device], 1, 8) != 2)
            fault("native records");
    }
    double seconds = ((ompt_target_translate_time_t)of_device("ompt_target_translate_time"))(
        devices[0], 1500000000);
    if (seconds != 1.5 || of_device("ompt_set_callback") || info(count, 0, 0, 0, 0) ||
        info(-1, 0, 0, 0, 0))
        fault("the rest");
}
ompt_initialize_fn_t *ompt_tool(void) { return initialize; }
