/*
 * A tool that registers the callbacks of target events, traces every device, and holds one against the other: at its
 * end it writes "<name>: records, none lost", or what else it is, or what is wrong, and ends the program with status 3 then.
 *
 * TRACER: words, separated by blanks.
 *   name=X           the name in what it writes
 *   old              registers the older form of the callbacks, and traces that
 *   all              asks for all events at once, by number 0
 *   bytes=N          the size of a buffer
 *   none=N           gives no buffer at the Nth request, nor later
 *   again=N          starts the trace anew at the Nth construct's end, and gives buffers again
 *   stop=N           stops the trace inside the Nth buffer_complete
 *   pause=N,M        pauses the trace at the Nth target construct and goes on at the Mth
 *   flush=N          flushes in the callback of each Nth construct's end, holding a lock that buffer_complete takes
 *   slow=N           each buffer_complete takes N microseconds
 *   silent           registers no callbacks but device_initialize, only counts
 */
#define _GNU_SOURCE
#include "start.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Two of these tools have a variable each. */
#ifndef VARIABLE
#define VARIABLE "TRACER"
#endif
#define DEVICES 4
enum { TARGET_BEGIN, TARGET_END, DATA_OP, SUBMIT, MAP, KINDS };

/* An event: of a callback, or of a record. */
struct entry {
    uint64_t id, target, begin, end, bytes;
    const void *source, *destination, *codeptr;
    int kind, what, device, from, to;
};
struct list { struct entry *at; size_t count, room; };

static struct { const char *name; long bytes, none, stop, flush, slow, pause, resume, again; int old, all, silent, llvm; } options =
    {.name = "tracer", .bytes = 4096};
static pthread_mutex_t lists = PTHREAD_MUTEX_INITIALIZER, shared = PTHREAD_MUTEX_INITIALIZER;
static struct list heard, read_back;
static ompt_device_t *devices[DEVICES];
static int begun[DEVICES], ended[DEVICES], loaded[DEVICES], unloaded[DEVICES];
static long given[DEVICES];
static long requests, completes, faults, constructs, stopped;
/* Events that were told, and that were recorded: a map event is one, whatever it maps. */
static long told, recorded;
static uint64_t newest;
static _Thread_local uint64_t op_begin;

static ompt_get_device_time_t device_time;
static ompt_translate_time_t translate;
static ompt_set_trace_ompt_t set_trace;
static ompt_start_trace_t start_trace;
static ompt_pause_trace_t pause_trace;
static ompt_flush_trace_t flush_trace;
static ompt_stop_trace_t stop_trace;
static ompt_advance_buffer_cursor_t advance;
static ompt_get_record_type_t record_type;
static ompt_get_record_ompt_t record_ompt;
static ompt_get_thread_data_t thread_data;
static uint64_t (*lost_records)(ompt_device_t *);

static void fault(const char *format, ...)
{
    va_list arguments;
    if (__atomic_add_fetch(&faults, 1, __ATOMIC_RELAXED) > 10) return;
    fprintf(stderr, "%s: ", options.name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

static void add(struct list *list, struct entry entry)
{
    pthread_mutex_lock(&lists);
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 1024;
        list->at = realloc(list->at, list->room * sizeof *list->at);
    }
    list->at[list->count++] = entry;
    pthread_mutex_unlock(&lists);
}

static void is_told(void) { __atomic_add_fetch(&told, 1, __ATOMIC_RELAXED); }
static uint64_t now(void) { return device_time ? device_time(devices[0]) : 0; }
static uint64_t fresh(void) { return __atomic_add_fetch(&newest, 1, __ATOMIC_RELAXED); }

static void request(int device, ompt_buffer_t **buffer, size_t *bytes);
static void complete(int device, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t begin, int owned);

/* Callbacks. */
static void at_target(ompt_target_t what, ompt_scope_endpoint_t endpoint, int device, uint64_t id, const void *codeptr)
{
    int begins = endpoint == ompt_scope_begin;
    is_told();
    if (device < 0 || device >= DEVICES || !devices[device]) return;
    if (!begun[device]) fault("a construct before device %d begins", device);
    add(&heard, (struct entry){.id = id, .target = id, .begin = now(), .codeptr = codeptr, .what = what,
                               .kind = begins ? TARGET_BEGIN : TARGET_END, .device = device});
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
    if (options.pause && count == options.pause && !pause_trace(devices[device], 1)) fault("pause fails");
    if (options.pause && count == options.resume && !pause_trace(devices[device], 0)) fault("going on fails");
}
static void on_target(ompt_target_t what, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task, ompt_id_t id,
                      const void *codeptr)
{
    (void)task;
    at_target(what, endpoint, device, id, codeptr);
}
static void on_target_emi(ompt_target_t what, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
                          ompt_data_t *target_task, ompt_data_t *data, const void *codeptr)
{
    (void)task, (void)target_task;
    if (endpoint == ompt_scope_begin) data->value = fresh();
    at_target(what, endpoint, device, data->value, codeptr);
}
static void on_data_op(ompt_id_t target, ompt_id_t id, ompt_target_data_op_t what, void *source, int from,
                       void *destination, int to, size_t bytes, const void *codeptr)
{
    is_told();
    add(&heard, (struct entry){.id = id, .target = target, .end = now(), .bytes = bytes, .source = source, .from = from,
                               .destination = destination, .to = to, .codeptr = codeptr, .kind = DATA_OP, .what = what,
                               .device = -1});
}
static void on_data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *task, ompt_data_t *target, ompt_id_t *id,
                           ompt_target_data_op_t what, void *source, int from, void *destination, int to, size_t bytes,
                           const void *codeptr)
{
    (void)task;
    if (endpoint == ompt_scope_begin) {
        *id = fresh();
        op_begin = now();
        return;
    }
    is_told();
    add(&heard, (struct entry){.id = *id, .target = target ? target->value : 0, .begin = op_begin, .end = now(),
                               .bytes = bytes, .source = source, .from = from, .destination = destination, .to = to,
                               .codeptr = codeptr, .kind = DATA_OP, .what = what});
}
static void on_submit(ompt_id_t target, ompt_id_t id, unsigned teams)
{
    is_told();
    add(&heard, (struct entry){.id = id, .target = target, .bytes = teams, .kind = SUBMIT, .device = -1});
}
static void on_submit_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target, ompt_id_t *id, unsigned teams)
{
    if (endpoint == ompt_scope_begin) {
        *id = fresh();
        is_told();
        add(&heard, (struct entry){.id = *id, .target = target->value, .begin = now(), .end = -1, .bytes = teams,
                                   .kind = SUBMIT});
    }
}
static void on_map(ompt_id_t target, unsigned count, void **host, void **device, size_t *bytes, unsigned *flags,
                   const void *codeptr)
{
    is_told();
    for (unsigned i = 0; i < count; i++)
        add(&heard, (struct entry){.id = target, .target = target, .bytes = bytes[i], .source = host[i], .what = flags[i],
                                   .destination = device[i], .codeptr = codeptr, .kind = MAP});
}
static void on_map_emi(ompt_data_t *target, unsigned count, void **host, void **device, size_t *bytes, unsigned *flags,
                       const void *codeptr)
{
    on_map(target->value, count, host, device, bytes, flags, codeptr);
}

/* Buffers. */
static void request(int device, ompt_buffer_t **buffer, size_t *bytes)
{
    long none = options.none, number = __atomic_add_fetch(&requests, 1, __ATOMIC_ACQ_REL);
    if (thread_data()) fault("a buffer is asked for on a thread of OpenMP's");
    if (*bytes < sizeof(ompt_record_ompt_t)) fault("a buffer of %zu bytes is asked for", *bytes);
    if (none && number >= none) {
        *buffer = NULL;
        *bytes = 0;
        return;
    }
    *bytes = options.bytes;
    *buffer = malloc(options.bytes);
    given[device]++;
}
static void keep(int device, ompt_record_ompt_t *record)
{
    /* What regions do is another test's. */
    if (options.all && record->type != ompt_callback_target && record->type <= ompt_callback_dispatch &&
        (record->type < ompt_callback_target || record->type > ompt_callback_target_submit) &&
        record->type != ompt_callback_target_map)
        return;
    /* A list too long for what room there is goes on in the next record. */
    static struct { uint64_t target, time; } before[DEVICES];
    int is_map = record->type == ompt_callback_target_map || record->type == ompt_callback_target_map_emi;
    int goes_on = is_map && before[device].target == record->target_id && before[device].time == record->time;
    before[device].target = is_map ? record->target_id : 0, before[device].time = record->time;
    recorded += !goes_on;
    struct entry entry = {.target = record->target_id, .begin = record->time, .device = device};
    if (!record->thread_id) fault("a record without a thread");
    switch (record->type) {
    case ompt_callback_target:
    case ompt_callback_target_emi: {
        ompt_record_target_emi_t *body = &record->record.target_emi;
        entry.kind = body->endpoint == ompt_scope_begin ? TARGET_BEGIN : TARGET_END;
        entry.id = body->target_id, entry.what = body->kind, entry.codeptr = body->codeptr_ra;
        if (body->device_num != device) fault("a construct of device %d in the trace of %d", body->device_num, device);
        break;
    }
    case ompt_callback_target_data_op:
    case ompt_callback_target_data_op_emi: {
        ompt_record_target_data_op_emi_t *body = &record->record.target_data_op_emi;
        entry.kind = DATA_OP, entry.id = body->host_op_id, entry.what = body->optype, entry.bytes = body->bytes;
        entry.source = body->src_addr, entry.from = body->src_device_num, entry.end = body->end_time;
        entry.destination = body->dest_addr, entry.to = body->dest_device_num, entry.codeptr = body->codeptr_ra;
        if (entry.from != device && entry.to != device) fault("an operation of devices %d, %d", entry.from, entry.to);
        break;
    }
    case ompt_callback_target_submit:
    case ompt_callback_target_submit_emi: {
        ompt_record_target_submit_emi_t *body = &record->record.target_submit_emi;
        entry.kind = SUBMIT, entry.id = body->host_op_id, entry.bytes = body->requested_num_teams;
        entry.end = body->end_time;
        if (body->granted_num_teams == 0) fault("no teams granted");
        break;
    }
    case ompt_callback_target_map:
    case ompt_callback_target_map_emi: {
        ompt_record_target_map_emi_t *body = &record->record.target_map_emi;
        entry.kind = MAP, entry.id = body->target_id, entry.codeptr = body->codeptr_ra;
        for (unsigned i = 0; i < body->nitems; i++) {
            entry.source = body->host_addr[i], entry.destination = body->device_addr[i];
            entry.bytes = body->bytes[i], entry.what = body->mapping_flags[i];
            add(&read_back, entry);
        }
        return;
    }
    default:
        fault("a record of type %d", record->type);
        return;
    }
    if ((record->type > 30) == options.old && !options.silent) fault("a record of type %d", record->type);
    if (entry.end && entry.end < entry.begin) fault("a record that ends before it begins");
    add(&read_back, entry);
}
static void complete(int device, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t begin, int owned)
{
    long number = ++completes;
    if (thread_data()) fault("a buffer is given back on a thread of OpenMP's");
    if (!owned || !buffer) fault("a buffer that is not ours");
    if (device < 0 || device >= DEVICES || !devices[device]) fault("a buffer of device %d", device);
    if ((long)bytes > options.bytes) fault("%zu bytes in a buffer of %ld", bytes, options.bytes);
    if (bytes) {
        ompt_buffer_cursor_t cursor = begin;
        do {
            if (record_type(buffer, cursor) != ompt_record_ompt) fault("a record that is none");
            keep(device, record_ompt(buffer, cursor));
        } while (advance(devices[device], buffer, bytes, cursor, &cursor));
    }
    if (options.slow) usleep(options.slow);
    pthread_mutex_lock(&shared);
    pthread_mutex_unlock(&shared);
    free(buffer);
    given[device]--;
    if (options.stop && number == options.stop) {
        if (!stop_trace(devices[device])) fault("stop in buffer_complete fails");
        stopped = 1;
    }
}

/* Devices. */
static void begin_trace(int device)
{
    static const int emi[] = {ompt_callback_target_emi, ompt_callback_target_data_op_emi, ompt_callback_target_submit_emi,
                              ompt_callback_target_map_emi};
    static const int old[] = {ompt_callback_target, ompt_callback_target_data_op, ompt_callback_target_submit,
                              ompt_callback_target_map};
    if (options.all) {
        if (set_trace(devices[device], 1, 0) == ompt_set_error) fault("no events");
    } else {
        for (int i = 0; i < 4; i++)
            if (set_trace(devices[device], 1, options.old ? old[i] : emi[i]) != ompt_set_always) fault("no event %d", i);
    }
    if (set_trace(devices[device], 1, ompt_callback_dependences) != ompt_set_impossible) fault("event dependences");
    if (set_trace(devices[device], 1, 1000) != ompt_set_error) fault("event 1000");
    if (!start_trace(devices[device], request, complete)) fault("the trace does not start");
    if (start_trace(devices[device], request, complete)) fault("the trace starts twice");
}
static void on_initialize(int device, const char *type, ompt_device_t *handle, ompt_function_lookup_t lookup,
                          const char *documentation)
{
    if (device < 0 || device >= DEVICES || begun[device]++) return fault("device %d begins", device);
    if (!type || !handle || !lookup || !documentation) return fault("what a device begins with");
    devices[device] = handle;
    ompt_get_device_num_procs_t procs = (ompt_get_device_num_procs_t)lookup("ompt_get_device_num_procs");
    ompt_set_trace_native_t native = (ompt_set_trace_native_t)lookup("ompt_set_trace_native");
    ompt_get_buffer_limits_t limits = (ompt_get_buffer_limits_t)lookup("ompt_get_buffer_limits");
    device_time = (ompt_get_device_time_t)lookup("ompt_get_device_time");
    translate = (ompt_translate_time_t)lookup("ompt_translate_time");
    set_trace = (ompt_set_trace_ompt_t)lookup("ompt_set_trace_ompt");
    start_trace = (ompt_start_trace_t)lookup("ompt_start_trace");
    pause_trace = (ompt_pause_trace_t)lookup("ompt_pause_trace");
    flush_trace = (ompt_flush_trace_t)lookup("ompt_flush_trace");
    stop_trace = (ompt_stop_trace_t)lookup("ompt_stop_trace");
    advance = (ompt_advance_buffer_cursor_t)lookup("ompt_advance_buffer_cursor");
    record_type = (ompt_get_record_type_t)lookup("ompt_get_record_type");
    record_ompt = (ompt_get_record_ompt_t)lookup("ompt_get_record_ompt");
    lost_records = (uint64_t (*)(ompt_device_t *))lookup("omphalos_lost_records");
    int most = 0;
    size_t bytes = 0;
    limits(handle, &most, &bytes);
    if (procs(handle) < 1 || most < 1 || bytes < 1024) fault("processors %d, buffers %d of %zu", procs(handle), most, bytes);
    if (native(handle, 1, ompt_native_kernel_execution) != ompt_set_never) fault("native records");
    if (lookup("ompt_get_thread_data") || lookup("nonsense")) fault("a device has functions of the host's");
    if (!lookup("ompt_get_record_native") || !lookup("ompt_get_record_abstract")) fault("a function is missing");
    if (flush_trace(handle) || stop_trace(handle) || pause_trace(handle, 1)) fault("a trace that did not begin");
    if (stop_trace(NULL) || start_trace(NULL, request, complete) || start_trace(handle, NULL, complete)) fault("null");
    begin_trace(device);
}
static void on_finalize(int device)
{
    if (given[device]) fault("device %d ends, and %ld buffers are not given back", device, given[device]);
    ended[device]++;
}
static void on_load(int device, const char *file, int64_t offset, void *in_file, size_t bytes, void *host, void *at,
                    uint64_t module)
{
    (void)in_file;
    if (!begun[device] || !file || offset < 0 || !bytes || !host || !at || !module) fault("code on device %d", device);
    loaded[device]++;
}
static void on_unload(int device, uint64_t module)
{
    if (ended[device] || !module) fault("code leaves device %d late", device);
    unloaded[device]++;
}

/* The end. */
static int order(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    if (x->source != y->source) return x->source < y->source ? -1 : 1;
    return x->what < y->what ? -1 : x->what > y->what;
}
static void same(const struct entry *callback, const struct entry *record)
{
    int differ = order(callback, record) || callback->target != record->target || callback->bytes != record->bytes ||
                 callback->destination != record->destination || callback->codeptr != record->codeptr ||
                 callback->from != record->from || callback->to != record->to;
    if (differ) fault("kind %d, id %lu: callback and record differ", record->kind, (unsigned long)record->id);
    int outside = callback->kind == TARGET_BEGIN ? record->begin < callback->begin
                  : callback->kind == TARGET_END ? record->begin > callback->begin
                  : callback->device >= 0 && (record->begin < callback->begin || record->end > callback->end);
    if (callback->kind != MAP && outside) fault("kind %d, id %lu: other times", record->kind, (unsigned long)record->id);
}
static const struct entry *of_construct(int kind, uint64_t id)
{
    size_t low = 0, high = read_back.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        struct entry *at = &read_back.at[middle];
        if (at->kind < kind || (at->kind == kind && at->id < id)) low = middle + 1;
        else high = middle;
    }
    struct entry *at = &read_back.at[low];
    return low < read_back.count && at->kind == kind && at->id == id ? at : NULL;
}
/* Each record lies within its construct's. */
static void nests(void)
{
    for (size_t i = 0; i < read_back.count; i++) {
        struct entry *record = &read_back.at[i];
        if (!record->target || (record->kind != DATA_OP && record->kind != SUBMIT)) continue;
        const struct entry *begin = of_construct(TARGET_BEGIN, record->target);
        const struct entry *end = of_construct(TARGET_END, record->target);
        if (begin && begin->begin > record->begin) fault("an operation before its construct");
        if (end && end->begin < record->end) fault("an operation behind its construct");
    }
}
static void finalize(ompt_data_t *data)
{
    (void)data;
    uint64_t lost = 0;
    for (int device = 0; device < DEVICES; device++) {
        if (begun[device] != ended[device]) fault("device %d begins %d times, ends %d", device, begun[device], ended[device]);
        if (loaded[device] != unloaded[device] || (begun[device] && !loaded[device])) fault("code of device %d", device);
        if (devices[device] && lost_records) lost += lost_records(devices[device]);
    }
    qsort(heard.at, heard.count, sizeof *heard.at, order);
    qsort(read_back.at, read_back.count, sizeof *read_back.at, order);
    int whole = !options.none && !options.stop && !options.pause && !options.silent && !lost;
    if (!options.stop && !options.pause && !options.silent && told != recorded + (long)lost)
        fault("%ld events, %ld records, %ld lost", told, recorded, (long)lost);
    if (whole && heard.count != read_back.count)
        fault("%zu callbacks, %zu records", heard.count, read_back.count);
    /* Of a trace that stopped there is a part. */
    for (size_t i = 0, j = 0; j < read_back.count && !options.silent; i++) {
        if (i == heard.count) {
            fault("a record of nothing");
            break;
        }
        if (order(&heard.at[i], &read_back.at[j]) == 0) same(&heard.at[i], &read_back.at[j++]);
        else if (whole) {
            fault("kind %d, id %lu: no record", heard.at[i].kind, (unsigned long)heard.at[i].id);
            break;
        }
    }
    nests();
    printf("%s: %s%s%s lost\n", options.name, recorded ? "records" : "no records", stopped ? ", stopped, " : ", ",
           lost ? "some" : "none");
    fflush(stdout);
    if (faults) _exit(3);
}
static int initialize(ompt_function_lookup_t lookup, int host, ompt_data_t *data)
{
    (void)data;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    ompt_get_num_devices_t count = (ompt_get_num_devices_t)lookup("ompt_get_num_devices");
    if (count() != host) fault("%d devices, and the host is %d", count(), host);
    const char *words = getenv(VARIABLE);
    char *copy = strdup(words ? words : "");
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        long number = value ? atol(++value) : 0;
        if (!strncmp(word, "name=", 5)) options.name = value;
        else if (!strcmp(word, "old")) options.old = 1;
        else if (!strcmp(word, "all")) options.all = 1;
        else if (!strcmp(word, "llvm")) options.llvm = 1;
        else if (!strncmp(word, "again=", 6)) options.again = number;
        else if (!strcmp(word, "silent")) options.silent = 1;
        else if (!strncmp(word, "bytes=", 6)) options.bytes = number;
        else if (!strncmp(word, "none=", 5)) options.none = number;
        else if (!strncmp(word, "stop=", 5)) options.stop = number;
        else if (!strncmp(word, "flush=", 6)) options.flush = number;
        else if (!strncmp(word, "slow=", 5)) options.slow = number;
        else if (!strncmp(word, "pause=", 6)) options.pause = number, options.resume = atol(strchr(value, ',') + 1);
        else fault("no option: %s", word);
    }
/* LLVM's programs that were compiled without devices call regions in line. */
#define MUST(event, function) \
    if (set(event, (ompt_callback_t)function) < (options.llvm ? ompt_set_sometimes : ompt_set_always)) \
        fault(#event " is not always told");
    MUST(ompt_callback_device_initialize, on_initialize)
    MUST(ompt_callback_device_finalize, on_finalize)
    MUST(ompt_callback_device_load, on_load)
    MUST(ompt_callback_device_unload, on_unload)
    if (options.silent) return 1;
    if (options.old) {
        MUST(ompt_callback_target, on_target)
        MUST(ompt_callback_target_data_op, on_data_op)
        set(ompt_callback_target_submit, (ompt_callback_t)on_submit);
        set(ompt_callback_target_map, (ompt_callback_t)on_map);
    } else {
        MUST(ompt_callback_target_emi, on_target_emi)
        MUST(ompt_callback_target_data_op_emi, on_data_op_emi)
        set(ompt_callback_target_submit_emi, (ompt_callback_t)on_submit_emi);
        set(ompt_callback_target_map_emi, (ompt_callback_t)on_map_emi);
    }
    return 1;
}
START_TOOL(initialize, finalize)
