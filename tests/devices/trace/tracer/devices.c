/* The devices: each begins with functions that answer, has code, is traced, and ends. */
#include "tracer.h"

ompt_device_t *devices[DEVICES];
int begun[DEVICES], ended[DEVICES], loaded[DEVICES], unloaded[DEVICES];
ompt_get_device_time_t device_time;
ompt_set_trace_ompt_t set_trace;
ompt_start_trace_t start_trace;
ompt_pause_trace_t pause_trace;
ompt_flush_trace_t flush_trace;
ompt_stop_trace_t stop_trace;
ompt_advance_buffer_cursor_t advance;
ompt_get_record_type_t record_type;
ompt_get_record_ompt_t record_ompt;
uint64_t (*lost_records)(ompt_device_t *);

static void begin_trace(int device)
{
    static const int emi[] = {ompt_callback_target_emi, ompt_callback_target_data_op_emi,
                              ompt_callback_target_submit_emi, ompt_callback_target_map_emi};
    static const int old[] = {ompt_callback_target, ompt_callback_target_data_op,
                              ompt_callback_target_submit, ompt_callback_target_map};
    if (options.all) {
        if (set_trace(devices[device], 1, 0) == ompt_set_error) fault("no events");
    } else {
        for (int i = 0; i < 4; i++)
            if (set_trace(devices[device], 1, options.old ? old[i] : emi[i]) != ompt_set_always)
                fault("no event %d", i);
    }
    if (set_trace(devices[device], 1, ompt_callback_dependences) != ompt_set_impossible)
        fault("event dependences");
    if (set_trace(devices[device], 1, 1000) != ompt_set_error) fault("event 1000");
    if (!start_trace(devices[device], request, complete)) fault("the trace does not start");
    if (start_trace(devices[device], request, complete)) fault("the trace starts twice");
}
static void on_initialize(int device, const char *type, ompt_device_t *handle,
                          ompt_function_lookup_t lookup, const char *documentation)
{
    if (device < 0 || device >= DEVICES || begun[device]++)
        return fault("device %d begins", device);
    if (!type || !handle || !lookup || !documentation) return fault("what a device begins with");
    devices[device] = handle;
    ompt_get_device_num_procs_t procs =
        (ompt_get_device_num_procs_t)lookup("ompt_get_device_num_procs");
    ompt_set_trace_native_t native = (ompt_set_trace_native_t)lookup("ompt_set_trace_native");
    ompt_get_buffer_limits_t limits = (ompt_get_buffer_limits_t)lookup("ompt_get_buffer_limits");
    device_time = (ompt_get_device_time_t)lookup("ompt_get_device_time");
    if (!lookup("ompt_translate_time")) fault("no function to translate times");
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
    if (procs(handle) < 1 || most < 1 || bytes < 1024)
        fault("processors %d, buffers %d of %zu", procs(handle), most, bytes);
    if (native(handle, 1, ompt_native_kernel_execution) != ompt_set_never) fault("native records");
    if (lookup("ompt_get_thread_data") || lookup("nonsense"))
        fault("a device has functions of the host's");
    if (!lookup("ompt_get_record_native") || !lookup("ompt_get_record_abstract"))
        fault("a function is missing");
    if (flush_trace(handle) || stop_trace(handle) || pause_trace(handle, 1))
        fault("a trace that did not begin");
    if (stop_trace(NULL) || start_trace(NULL, request, complete) ||
        start_trace(handle, NULL, complete))
        fault("null");
    begin_trace(device);
}
static void on_finalize(int device)
{
    if (given[device])
        fault("device %d ends, and %ld buffers are not given back", device, given[device]);
    ended[device]++;
}
static void on_load(int device, const char *file, int64_t offset, void *in_file, size_t bytes,
                    void *host, void *at, uint64_t module)
{
    (void)in_file;
    if (!begun[device] || !file || offset < 0 || !bytes || !host || !at || !module)
        fault("code on device %d", device);
    loaded[device]++;
}
static void on_unload(int device, uint64_t module)
{
    if (ended[device] || !module) fault("code leaves device %d late", device);
    unloaded[device]++;
}

void set_callbacks_of_devices(ompt_set_callback_t set)
{
    MUST(ompt_callback_device_initialize, on_initialize)
    MUST(ompt_callback_device_finalize, on_finalize)
    MUST(ompt_callback_device_load, on_load)
    MUST(ompt_callback_device_unload, on_unload)
}
