// More messages are taken than sent.
// @kind: system-call
// @says: The code sends messages at
#include "hang.h"

#include <fcntl.h>
#include <mqueue.h>
#include <stdlib.h>

static mqd_t queue;

static void send(char value) {
    if (mq_send(queue, &value, 1, 0)) perror("mq_send"); // <B>
}

static int take(void) {
    char value = 0;
    if (mq_receive(queue, &value, 1, NULL) < 0) perror("mq_receive"); // <A>
    return value;
}

int main(void) {
    char name[32];
    struct mq_attr few = {.mq_maxmsg = 4, .mq_msgsize = 1};
    int sum = 0;
    snprintf(name, sizeof name, "/omphalos-%d", (int)getpid());
    queue = mq_open(name, O_RDWR | O_CREAT, 0600, &few);
    // It lasts as long as its descriptors.
    if (queue < 0 || mq_unlink(name)) return 1;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 0) for (int i = 0; i < 4; i++) send((char)i);
        else for (int i = 0; i < 5; i++) sum += take();
    }
    return sum;
}
