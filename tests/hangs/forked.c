// A child is forked while another member holds a mutex.
// @kind: holder-gone
#include "hang.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int held;

int main(void) {
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num()) {
            pthread_mutex_lock(&mutex); // <B>
            held = 1;
            sleep(240);
            pthread_mutex_unlock(&mutex);
        } else {
            while (!held) usleep(1000);
            if (fork() == 0) {
                alarm(240);
                printf("child %d\n", (int)getpid());
                ready();
                pthread_mutex_lock(&mutex); // <A>
                pthread_mutex_unlock(&mutex);
                _exit(0);
            }
            sleep(240);
        }
    }
    return 0;
}
