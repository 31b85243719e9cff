/* A tool that the program loads before its first contact with OpenMP, into the global scope: it is
 * found all the same, also if it is the tool's library that needs the runtime. With -DTOOL the
 * tool, without it the program. */
#ifdef TOOL
#include <stdint.h>
int late_tool_started;

typedef struct {
    int (*initialize)(void *lookup, int device, uint64_t *data);
    void (*finalize)(uint64_t *data);
    uint64_t data;
} start_result;

static int initialize(void *lookup, int device, uint64_t *data)
{
    (void)lookup, (void)device, (void)data;
    late_tool_started++;
    return 1;
}

static void finalize(uint64_t *data)
{
    (void)data;
}

start_result *ompt_start_tool(unsigned version, const char *runtime)
{
    static start_result result = {initialize, finalize, 0};
    (void)version, (void)runtime;
    return &result;
}

void late_region(void)
{
#ifdef _OPENMP
#pragma omp parallel
    __asm__ volatile("");
#endif
}
#else
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *tool = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW | RTLD_GLOBAL);
    const int *started = tool ? dlsym(tool, "late_tool_started") : 0;
    if (!started || *started != 0) {
        printf("the tool cannot be loaded: %s\n", dlerror());
        return 1;
    }
#ifdef _OPENMP
#pragma omp parallel
    __asm__ volatile("");
#else
    ((void (*)(void))dlsym(tool, "late_region"))();
#endif
    printf("%s\n", *started == 1 ? "ok" : "the tool was not found");
    return *started != 1;
}
#endif
