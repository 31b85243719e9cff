static const char *host[] = {"enumerate_states", "enumerate_mutex_impls", "set_callback",
        "get_callback", "get_thread_data", "get_num_procs", "get_num_places",
        "get_place_proc_ids", "get_place_num", "get_partition_place_nums", "get_proc_id",
        "get_state", "get_parallel_info", "get_task_info", "get_task_memory",
        "get_target_info", "get_num_devices", "get_unique_id", "finalize_tool"};
static const char *other[] = {"start_trace", "pause_trace", "flush_trace", "stop_trace",
        "get_device_time", "get_record_ompt", "set_trace_ompt", "advance_buffer_cursor", "",
        "nothing"};
static long count(const char **names, int size) {
    char name[64];
    long found = 0;
    for (int i = 0; i < size; i++) {
        snprintf(name, sizeof name, "ompt_%s", names[i]);
        found += lookup(name) != NULL;
    }
    return found;
}
static int started(void) {
    say("host", count(host, 19));
    say("other", count(other, 10));
    return 1;
}
int main(void) {
#pragma omp parallel num_threads(2)
    sink = 1;
    return 0;
}
