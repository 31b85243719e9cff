// Members wait for what another process brings that sleeps and computes: a semaphore, a mutex and a
// flag in shared memory, a semaphore and a message of System V, a queue of POSIX.
// @kind: none
#include "hang.h"

#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>

struct shared {
    sem_t slots;
    pthread_mutex_t mutex;
    volatile int rounds;
};

struct message {
    long kind;
    char text[8];
};

enum { WAYS = 6 };
static struct shared *shared;
static int set, queue;
static mqd_t named;

static void compute(double seconds) {
    double end = omp_get_wtime() + seconds;
    while (omp_get_wtime() < end) {}
}

static void brings(void) {
    struct sembuf give = {0, 2, 0};
    struct message message = {1, "go"};
    for (;;) {
        pthread_mutex_lock(&shared->mutex);
        compute(0.4);
        usleep(900000);
        pthread_mutex_unlock(&shared->mutex);
        shared->rounds++;
        sem_post(&shared->slots);
        semop(set, &give, 1);
        msgsnd(queue, &message, sizeof message.text, IPC_NOWAIT);
        mq_send(named, "go", 2, 0);
        usleep(1000);
    }
}

static void takes(int way) {
    struct sembuf take = {0, -1, 0};
    struct message message;
    static char text[8192];
    int seen = shared->rounds;
    switch (way) {
    case 0: sem_wait(&shared->slots); break;
    case 1:
        pthread_mutex_lock(&shared->mutex);
        pthread_mutex_unlock(&shared->mutex);
        break;
    case 2: semop(set, &take, 1); break;
    case 3: msgrcv(queue, &message, sizeof message.text, 0, 0); break;
    case 4: // where the system has such queues
        if (named != (mqd_t)-1) mq_receive(named, text, sizeof text, NULL);
        break;
    default: while (shared->rounds == seen) {}
    }
}

int main(void) {
    char name[64];
    snprintf(name, sizeof name, "/omphalos-%d", (int)getpid());
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 1;
    sem_init(&shared->slots, 1, 0);
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared->mutex, &kind);
    set = semget(IPC_PRIVATE, 1, 0600 | IPC_CREAT);
    queue = msgget(IPC_PRIVATE, 0600 | IPC_CREAT);
    named = mq_open(name, O_RDWR | O_CREAT, 0600, NULL);
    mq_unlink(name);
    if (!fork()) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        brings();
    }
    usleep(100000);
    ready();
    #pragma omp parallel num_threads(2)
    for (int i = 0; i < 1000; i++) {
        #pragma omp master
        takes(i % WAYS);
        #pragma omp barrier
    }
    return 0;
}
