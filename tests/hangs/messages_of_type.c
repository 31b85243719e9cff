// A message of a type is taken that nobody has sent: the one that is left has another type.
// @kind: system-call
// @says: a message of type 7 of the message queue
#include "hang.h"

#include <sys/msg.h>
#include <sys/wait.h>

struct message {
    long type;
    int value;
};

static int queue;

static void send(long type) {
    struct message message = {type, 1};
    if (msgsnd(queue, &message, sizeof message.value, 0)) perror("msgsnd"); // <B>
}

static int take(void) {
    struct message message = {0, 0};
    if (msgrcv(queue, &message, sizeof message.value, 7, 0) < 0) perror("msgrcv"); // <A>
    return message.value;
}

int main(void) {
    int sum = 0;
    queue = msgget(IPC_PRIVATE, 0600 | IPC_CREAT);
    if (queue < 0) return 1;
    pid_t child = fork();
    if (child == 0) {
        send(7);
        send(6);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        #pragma omp single
        sum += take() + take();
    }
    msgctl(queue, IPC_RMID, NULL);
    return sum;
}
