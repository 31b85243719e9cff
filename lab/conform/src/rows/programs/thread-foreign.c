#include <pthread.h>
static void *body(void *x) {
#pragma omp parallel num_threads(2)
    sink = 1;
    return x;
}
int main(void) {
    pthread_t t;
#pragma omp parallel num_threads(2)
    sink = 1;
    pthread_create(&t, 0, body, 0);
    pthread_join(t, 0);
    return 0;
}
