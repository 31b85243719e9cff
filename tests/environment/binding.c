/* Prints the places, and where each thread of some regions is bound: place number and
 * processors. */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

static char said[64][256];

static void say(const char *region)
{
    char *line = said[omp_get_thread_num()];
    cpu_set_t mask;
    sched_getaffinity(0, sizeof mask, &mask);
    line += sprintf(line, "%s %d place %d:", region, omp_get_thread_num(), omp_get_place_num());
    for (int cpu = 0; cpu < 16; cpu++)
        if (CPU_ISSET(cpu, &mask))
            line += sprintf(line, " %d", cpu);
}

static void show(void)
{
    for (int i = 0; i < 64; i++) {
        if (said[i][0])
            puts(said[i]);
        said[i][0] = 0;
    }
}

int main(void)
{
    printf("places %d:", omp_get_num_places());
    for (int place = 0; place < omp_get_num_places(); place++) {
        int cpus[64], count = omp_get_place_num_procs(place);
        omp_get_place_proc_ids(place, cpus);
        printf(" {");
        for (int i = 0; i < count; i++)
            printf("%s%d", i ? "," : "", cpus[i]);
        printf("}");
    }
    puts("");
#pragma omp parallel
    say("plain");
    show();
#pragma omp parallel num_threads(2) proc_bind(close)
    say("close");
    show();
#pragma omp parallel num_threads(2) proc_bind(spread)
    say("spread");
    show();
#pragma omp parallel num_threads(2) proc_bind(master)
    say("primary");
    show();
    return 0;
}
