// Each member takes a message and sends two for it to the same queue: once that is full, nobody is
// left who takes.
// @kind: cycle
// @says: which is full, and takes messages from it only behind that
// @never: from outside of the program
// @alone
// @stock: cycle
#include "hang.h"

#include <fcntl.h>
#include <mqueue.h>

static mqd_t queue;

__attribute__((noinline)) static void post(char value) {
    if (mq_send(queue, &value, 1, 0)) perror("mq_send"); // <A>
}

__attribute__((noinline)) static int next(char *value) {
    return mq_receive(queue, value, 1, NULL) == 1; // <B>
}

int main(void) {
    char name[32];
    struct mq_attr few = {.mq_maxmsg = 4, .mq_msgsize = 1};
    int sum = 0;
    snprintf(name, sizeof name, "/omphalos-%d", (int)getpid());
    queue = mq_open(name, O_RDWR | O_CREAT, 0600, &few);
    if (queue < 0 || mq_unlink(name)) return 1;
    post(0);
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        for (char value; next(&value); sum += value) {
            post((char)(value + 1));
            post((char)(value + 1));
        }
    }
    return sum;
}
