/*
 * A tool that counts: the events that callbacks tell while it traces, and the records that it gets.
 * At its end it writes "<name>: N events, N records, N lost, right", or "wrong", and that ends the
 * program with status 3. It is quick, so that the program has the runtime's helper busy.
 *
 * COUNTER: words, separated by blanks.
 *   name=X           the name in what it writes
 *   bytes=N          the size of a buffer
 *   slow=N           each buffer_complete takes N microseconds
 *   none=N           gives no buffer at the Nth request, nor later
 *   again=N          starts the traces anew at the Nth construct's end, and gives buffers again
 *   stop=N           stops the traces in the callback of the Nth construct's end
 *   stop-inside=N    stops the traces in the Nth buffer_complete
 *   start=N          starts them at the Nth construct's end after that
 */
#define _GNU_SOURCE
#include "start.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Two of these tools have a variable each. */
#ifndef VARIABLE
#define VARIABLE "COUNTER"
#endif

#define DEVICES 4
/* Of the program's. */
#define THREADS 4

static const char *name = "counter";
static long buffer_bytes = 4096, slow, none, again, stop, stop_inside, start_at;

static ompt_device_t *devices[DEVICES];
static ompt_set_trace_ompt_t set_trace;
static ompt_start_trace_t start_trace;
static ompt_stop_trace_t stop_trace;
static ompt_advance_buffer_cursor_t advance;
static ompt_get_record_ompt_t record_ompt;
static uint64_t (*lost_records)(ompt_device_t *);

/* Events that are recorded for sure; those that were told while the traces began or stopped, or in
 * a construct that was under way then, may be. */
static long events, doubtful, constructs, records, requests, completes, buffers, faults;
enum { STOPPED, CHANGES, TRACES };
static int state = TRACES;
/* By thread: the construct began in such a state. */
static _Thread_local int state_at_begin;

static void count(long *counter) { __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED); }
static void becomes(int new) { __atomic_store_n(&state, new, __ATOMIC_SEQ_CST); }
static int is(void) { return __atomic_load_n(&state, __ATOMIC_SEQ_CST); }
static void fault(const char *what)
{
    count(&faults);
    fprintf(stderr, "%s: %s\n", name, what);
}

static void request(int device, ompt_buffer_t **buffer, size_t *bytes)
{
    (void)device;
    if (none && ++requests >= none) {
        *buffer = NULL, *bytes = 0;
        return;
    }
    *buffer = malloc(buffer_bytes), *bytes = buffer_bytes;
    buffers++;
}
static void stop_all(void)
{
    becomes(CHANGES);
    for (int device = 0; device < DEVICES; device++)
        if (devices[device] && !stop_trace(devices[device])) fault("a trace does not stop");
    becomes(STOPPED);
}
static void complete(int device, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t cursor,
                     int owned)
{
    if (!owned) fault("a buffer that is not ours");
    if (bytes) {
        do {
            uint64_t type = record_ompt(buffer, cursor)->type;
            records += type == ompt_callback_target_emi || type == ompt_callback_target_submit_emi;
        } while (advance(devices[device], buffer, bytes, cursor, &cursor));
    }
    if (slow) usleep(slow);
    free(buffer);
    buffers--;
    if (++completes == stop_inside) stop_all();
}
static void start(int device)
{
    set_trace(devices[device], 1, ompt_callback_target_emi);
    set_trace(devices[device], 1, ompt_callback_target_submit_emi);
    if (!start_trace(devices[device], request, complete)) fault("a trace does not start");
}
static void start_all(void)
{
    for (int device = 0; device < DEVICES; device++)
        if (devices[device]) start(device);
}
static void tell(void)
{
    if (state_at_begin == TRACES && is() == TRACES) count(&events);
    else if (state_at_begin != STOPPED || is() != STOPPED) count(&doubtful);
}
static void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
                      ompt_data_t *task, ompt_data_t *target_task, ompt_data_t *data,
                      const void *codeptr)
{
    (void)kind, (void)device, (void)task, (void)target_task, (void)data, (void)codeptr;
    if (endpoint == ompt_scope_begin) state_at_begin = is();
    tell();
    if (endpoint == ompt_scope_begin) return;
    long number = __atomic_add_fetch(&constructs, 1, __ATOMIC_RELAXED);
    if (number == stop) stop_all();
    if (number == again) none = 0, start_all();
    if (number == start_at) becomes(CHANGES), start_all(), becomes(TRACES);
}
static void on_submit(ompt_scope_endpoint_t endpoint, ompt_data_t *target, ompt_id_t *id,
                      unsigned teams)
{
    (void)target, (void)id, (void)teams;
    if (endpoint == ompt_scope_begin) tell();
}
static void on_initialize(int device, const char *type, ompt_device_t *handle,
                          ompt_function_lookup_t lookup, const char *documentation)
{
    (void)type, (void)documentation;
    if (device < 0 || device >= DEVICES) return fault("more devices than expected");
    devices[device] = handle;
    set_trace = (ompt_set_trace_ompt_t)lookup("ompt_set_trace_ompt");
    start_trace = (ompt_start_trace_t)lookup("ompt_start_trace");
    stop_trace = (ompt_stop_trace_t)lookup("ompt_stop_trace");
    advance = (ompt_advance_buffer_cursor_t)lookup("ompt_advance_buffer_cursor");
    record_ompt = (ompt_get_record_ompt_t)lookup("ompt_get_record_ompt");
    lost_records = (uint64_t (*)(ompt_device_t *))lookup("omphalos_lost_records");
    start(device);
}
static int initialize(ompt_function_lookup_t lookup, int host, ompt_data_t *data)
{
    (void)host, (void)data;
    static const struct { const char *word; long *value; } options[] = {
        {"bytes", &buffer_bytes}, {"slow", &slow}, {"none", &none},    {"again", &again},
        {"stop", &stop}, {"stop-inside", &stop_inside}, {"start", &start_at}};
    char *words = strdup(getenv(VARIABLE) ? getenv(VARIABLE) : "");
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        char *value = strchrnul(word, '=');
        if (*value) *value++ = 0;
        int known = !strcmp(word, "name");
        if (known) name = value;
        for (size_t i = 0; i < sizeof options / sizeof *options; i++)
            if (!strcmp(options[i].word, word)) *options[i].value = atol(value), known = 1;
        if (!known) fault("no such option");
    }
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_callback_device_initialize, (ompt_callback_t)on_initialize);
    set(ompt_callback_target_emi, (ompt_callback_t)on_target);
    set(ompt_callback_target_submit_emi, (ompt_callback_t)on_submit);
    return 1;
}
static void finalize(ompt_data_t *data)
{
    (void)data;
    long lost = 0;
    for (int device = 0; device < DEVICES; device++)
        if (devices[device]) lost += lost_records(devices[device]);
    if (buffers) fault("a buffer is not given back");
    /* What a thread was told of just before the traces stop, or start, may be recorded after. */
    long least = events - (stop || stop_inside ? THREADS : 0);
    long most = events + doubtful + (start_at ? THREADS : 0);
    int right = least <= records + lost && records + lost <= most && !faults;
    printf("%s: %ld events (and %ld), %ld records, %ld lost, %s\n", name, events, doubtful, records,
           lost, right ? "right" : "wrong");
    fflush(stdout);
    if (!right) _exit(3);
}
START_TOOL(initialize, finalize)
