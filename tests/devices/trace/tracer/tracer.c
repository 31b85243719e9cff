/*
 * A tool that registers the callbacks of target events, traces every device, and holds one against
 * the other: at its end it writes "<name>: records, none lost", or what else it is, or what is
 * wrong, and ends the program with status 3 then.
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
 *   flush=N          flushes in the callback of each Nth construct's end, holding a lock that
 *                    buffer_complete takes
 *   slow=N           each buffer_complete takes N microseconds
 *   silent           registers no callbacks but device_initialize, only counts
 */
#define _GNU_SOURCE
#include "tracer.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Two of these tools have a variable each. */
#ifndef VARIABLE
#define VARIABLE "TRACER"
#endif

struct options options = {.name = "tracer", .bytes = 4096};
struct list heard, read_back;
long told, recorded, faults;
static pthread_mutex_t lists = PTHREAD_MUTEX_INITIALIZER;
ompt_get_thread_data_t thread_data;

void fault(const char *format, ...)
{
    va_list arguments;
    if (__atomic_add_fetch(&faults, 1, __ATOMIC_RELAXED) > 10) return;
    fprintf(stderr, "%s: ", options.name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void add(struct list *list, struct entry entry)
{
    pthread_mutex_lock(&lists);
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 1024;
        list->at = realloc(list->at, list->room * sizeof *list->at);
    }
    list->at[list->count++] = entry;
    pthread_mutex_unlock(&lists);
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
        else if (!strncmp(word, "pause=", 6))
            options.pause = number, options.resume = atol(strchr(value, ',') + 1);
        else fault("no option: %s", word);
    }
    set_callbacks_of_devices(set);
    if (!options.silent) set_callbacks_of_targets(set);
    return 1;
}
static void finalize(ompt_data_t *data)
{
    (void)data;
    uint64_t lost = 0;
    for (int device = 0; device < DEVICES; device++) {
        if (begun[device] != ended[device])
            fault("device %d begins %d times, ends %d", device, begun[device], ended[device]);
        if (loaded[device] != unloaded[device] || (begun[device] && !loaded[device]))
            fault("code of device %d", device);
        if (devices[device] && lost_records) lost += lost_records(devices[device]);
    }
    compare(lost);
    printf("%s: %s%s%s lost\n", options.name, recorded ? "records" : "no records",
           stopped ? ", stopped, " : ", ", lost ? "some" : "none");
    fflush(stdout);
    if (faults) _exit(3);
}
START_TOOL(initialize, finalize)
