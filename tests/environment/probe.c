/* Prints what the environment made of the ICVs, one `name value` a line, for environment.rs. */
#include <omp.h>
#include <stdio.h>
#include <string.h>

static unsigned long depth_reached(unsigned long kib)
{
    volatile char block[1024];
    block[0] = (char)kib;
    block[1023] = block[0];
    return kib == 0 ? 0 : 1 + depth_reached(kib - 1) + (block[0] != block[1023]);
}

int main(int argc, char **argv)
{
    omp_sched_t kind;
    int chunk, first = 0, second = 0, third = 0;
    omp_get_schedule(&kind, &chunk);
    printf("max_threads %d\n", omp_get_max_threads());
    printf("procs %d\n", omp_get_num_procs());
    printf("dynamic %d\n", omp_get_dynamic());
    printf("schedule %s %d\n",
           (kind & 0x7fffffff) == omp_sched_static    ? "static"
           : (kind & 0x7fffffff) == omp_sched_dynamic ? "dynamic"
           : (kind & 0x7fffffff) == omp_sched_guided  ? "guided"
                                                      : "auto",
           chunk);
    printf("max_active_levels %d\n", omp_get_max_active_levels());
    printf("thread_limit %d\n", omp_get_thread_limit());
    printf("cancellation %d\n", omp_get_cancellation());
    printf("proc_bind %d\n", omp_get_proc_bind());
    printf("places %d\n", omp_get_num_places());
    printf("max_task_priority %d\n", omp_get_max_task_priority());
    printf("default_device %d\n", omp_get_default_device());
#pragma omp parallel
    {
#pragma omp single
        first = omp_get_num_threads();
#pragma omp parallel
        {
#pragma omp single
#pragma omp atomic write
            second = omp_get_num_threads();
#pragma omp parallel
#pragma omp single
#pragma omp atomic write
            third = omp_get_num_threads();
        }
    }
    printf("teams %d %d %d\n", first, second, third);
    if (argc > 1 && !strcmp(argv[1], "deep")) {
        unsigned long worst = ~0ul;
#pragma omp parallel reduction(min : worst)
        {
            unsigned long got = depth_reached(omp_get_thread_num() ? 24 * 1024 : 16);
            if (omp_get_thread_num())
                worst = got;
        }
        printf("deep %lu\n", worst);
    }
    return 0;
}
