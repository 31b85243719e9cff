/* One thread takes away what another one's region works on.
 * @finds: deleted-in-use a
 * @finds: use-after-unmap a */
#include <omp.h>
#include <stdio.h>

#pragma omp declare target
volatile int gate;
#pragma omp end declare target

int main(void) {
    int a[100] = {0}, got = 0;
#pragma omp target enter data map(to : a)
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
#pragma omp target map(tofrom : a) map(tofrom : got)
            {
                gate = 1;
                while (gate != 2)
                    ;
                got = a[5]; /* @here */
            }
        } else {
            int now = 0;
            while (now != 1) {
#pragma omp target update from(gate)
                now = gate;
            }
#pragma omp target exit data map(delete : a) /* @here */
            gate = 2;
#pragma omp target update to(gate)
        }
    }
    printf("%d\n", got);
    return 0;
}
