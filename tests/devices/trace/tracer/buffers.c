/* The buffers of a trace: given, read record by record, and freed. */
#include "tracer.h"
#include <stdlib.h>
#include <unistd.h>

pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
long requests, given[DEVICES], stopped;
static long completes;

void request(int device, ompt_buffer_t **buffer, size_t *bytes)
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
    if (options.all && record->type != ompt_callback_target &&
        record->type <= ompt_callback_dispatch &&
        (record->type < ompt_callback_target || record->type > ompt_callback_target_submit) &&
        record->type != ompt_callback_target_map)
        return;
    /* A list too long for what room there is goes on in the next record. */
    static struct { uint64_t target, time; } before[DEVICES];
    int is_map =
        record->type == ompt_callback_target_map || record->type == ompt_callback_target_map_emi;
    int goes_on =
        is_map && before[device].target == record->target_id && before[device].time == record->time;
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
        if (body->device_num != device)
            fault("a construct of device %d in the trace of %d", body->device_num, device);
        break;
    }
    case ompt_callback_target_data_op:
    case ompt_callback_target_data_op_emi: {
        ompt_record_target_data_op_emi_t *body = &record->record.target_data_op_emi;
        entry.kind = DATA_OP, entry.id = body->host_op_id, entry.what = body->optype,
        entry.bytes = body->bytes;
        entry.source = body->src_addr, entry.from = body->src_device_num,
        entry.end = body->end_time;
        entry.destination = body->dest_addr, entry.to = body->dest_device_num,
        entry.codeptr = body->codeptr_ra;
        if (entry.from != device && entry.to != device)
            fault("an operation of devices %d, %d", entry.from, entry.to);
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
    if ((record->type > 30) == options.old && !options.silent)
        fault("a record of type %d", record->type);
    if (entry.end && entry.end < entry.begin) fault("a record that ends before it begins");
    add(&read_back, entry);
}
void complete(int device, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t begin,
              int owned)
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
