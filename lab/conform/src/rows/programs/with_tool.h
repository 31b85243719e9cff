#include <stdint.h>
#include <string.h>
typedef void (*entry)(void);
typedef entry (*lookup_t)(const char *);
static lookup_t lookup;
static FILE *out;
static void say(const char *name, long value) {
    fprintf(out, "%s value=%ld\n", name, value);
    fflush(out);
}
static int started(void);
static int begin(lookup_t found, int device, void *data) {
    lookup = found;
    out = fopen(getenv("OMPHALOS_RECORD_OUT"), "w");
    return started();
}
static void over(void *data) {
    fputs("end\n", out);
    fflush(out);
}
struct tool {
    int (*begin)(lookup_t, int, void *);
    void (*over)(void *);
    uint64_t data;
};
struct tool *ompt_start_tool(unsigned version, const char *runtime) {
    static struct tool tool = {begin, over, 0};
    return &tool;
}
