// A function gives what it has found to its caller, locked: that is no fault of its own. The hang
// is a circle of two such.
// @kind: lock-cycle
// @never: has a way out
// @also: -O0
#include "hang.h"

struct account {
    pthread_mutex_t mutex;
    int number;
    long balance;
};

static struct account accounts[2] = {
    {PTHREAD_MUTEX_INITIALIZER, 10, 100},
    {PTHREAD_MUTEX_INITIALIZER, 11, 100},
};

__attribute__((noinline)) static struct account *find_locked(int number) {
    struct account *account = &accounts[number % 10];
    pthread_mutex_lock(&account->mutex);
    if (account->number == number) return account;
    pthread_mutex_unlock(&account->mutex);
    return NULL;
}

__attribute__((noinline)) static void release(struct account *account) {
    pthread_mutex_unlock(&account->mutex);
}

static int move(int from, struct account *to) {
    struct account *source = find_locked(from);
    if (!source) return 0;
    wait_for_all(2);
    pthread_mutex_lock(&to->mutex); // <A>
    source->balance--;
    to->balance++;
    release(to);
    release(source);
    return 1;
}

int main(void) {
    int moved = 0;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : moved)
    {
        int me = omp_get_thread_num();
        if (me == 0) usleep(100000);
        moved += move(11 - me, &accounts[me]);
    }
    return moved != 2;
}
