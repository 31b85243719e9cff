/* As many empty target regions as the first argument says, from as many threads as the second; with
 * a second argument the devices take turns. */
#include <omp.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    int rounds = count > 1 ? atoi(arguments[1]) : 1, threads = count > 2 ? atoi(arguments[2]) : 1;
    int devices = count > 2 ? omp_get_num_devices() : 1;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int i = 0; i < rounds; i++) {
#pragma omp target device(i % devices)
        {
        }
    }
    return 0;
}
