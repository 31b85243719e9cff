/* What the parts of the tracer share. */
#ifndef TRACER_H
#define TRACER_H

#include "start.h"
#include <pthread.h>

/* A program may have two of these tools: none of the names is for the other one. */
#pragma GCC visibility push(hidden)

#define DEVICES 4

/* An event: of a callback, or of a record. */
enum { TARGET_BEGIN, TARGET_END, DATA_OP, SUBMIT, MAP };
struct entry {
    uint64_t id, target, begin, end, bytes;
    const void *source, *destination, *codeptr;
    int kind, what, device, from, to;
};
struct list {
    struct entry *at;
    size_t count, room;
};
/* What callbacks told, and what records say. */
extern struct list heard, read_back;
void add(struct list *list, struct entry entry);
/* Events that were told, and that were recorded: a map event is one, whatever it maps. */
extern long told, recorded;

/* See tracer.c. */
struct options {
    const char *name;
    long bytes, none, stop, flush, slow, pause, resume, again;
    int old, all, silent, llvm;
};
extern struct options options;

/* Writes what is wrong. The program ends with status 3 then. */
void fault(const char *format, ...);
extern long faults;

/* The devices, and their functions, of which all devices have the same. */
extern ompt_device_t *devices[DEVICES];
extern int begun[DEVICES], ended[DEVICES], loaded[DEVICES], unloaded[DEVICES];
extern ompt_get_device_time_t device_time;
extern ompt_set_trace_ompt_t set_trace;
extern ompt_start_trace_t start_trace;
extern ompt_pause_trace_t pause_trace;
extern ompt_flush_trace_t flush_trace;
extern ompt_stop_trace_t stop_trace;
extern ompt_advance_buffer_cursor_t advance;
extern ompt_get_record_type_t record_type;
extern ompt_get_record_ompt_t record_ompt;
extern ompt_get_thread_data_t thread_data;
extern uint64_t (*lost_records)(ompt_device_t *);

/* Buffers: how many were asked for; the devices' that were not given back; whether the trace was
 * stopped in one. */
extern long requests, given[DEVICES], stopped;
/* A flush in a callback holds it, and buffer_complete takes it. */
extern pthread_mutex_t shared;
void request(int device, ompt_buffer_t **buffer, size_t *bytes);
void complete(int device, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t begin,
              int owned);

/* Registers the callbacks of devices, and those of target events. */
void set_callbacks_of_devices(ompt_set_callback_t set);
void set_callbacks_of_targets(ompt_set_callback_t set);

/* Holds records against callbacks, at the end. */
void compare(uint64_t lost);

/* LLVM's programs that were compiled without devices call regions in line. */
#define MUST(event, function) \
    if (set(event, (ompt_callback_t)function) < \
        (options.llvm ? ompt_set_sometimes : ompt_set_always)) \
        fault(#event " is not always told");

#pragma GCC visibility pop
#endif
