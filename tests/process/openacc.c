/* A program that was built for OpenACC runs until it gets there. */
#include <omp.h>
#include <stdio.h>

extern void GOACC_parallel_keyed(int, void (*)(void *), size_t, void **, size_t *, unsigned short *,
                                 ...);
extern int acc_get_num_devices(int);

static void body(void *data)
{
    (void)data;
    puts("inside");
}

int main(int argc, char **argv)
{
    (void)argv;
    int threads = 0;
#pragma omp parallel num_threads(2)
#pragma omp atomic
    threads++;
    printf("%d threads\n", threads);
    if (argc > 1)
        return acc_get_num_devices(0);
    GOACC_parallel_keyed(-1, body, 0, NULL, NULL, NULL, 0);
    puts("behind");
    return 0;
}
