/* As many empty target regions as the argument says. */
#include <stdlib.h>

int main(int count, char **arguments)
{
    int rounds = count > 1 ? atoi(arguments[1]) : 1;
    for (int i = 0; i < rounds; i++) {
#pragma omp target
        {
        }
    }
    return 0;
}
