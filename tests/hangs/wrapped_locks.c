// A function of the program's own takes locks for those who call it, and does more than that: the
// lines that call it are named too.
// @kind: lock-cycle
// @says: called at wrapped_locks.c:
// @also: -O0
#include "hang.h"

static struct account {
    omp_lock_t lock;
    double sum;
    int entered;
} first, second;

__attribute__((noinline)) static void enter(struct account *account) {
    omp_set_lock(&account->lock);
    account->entered++;
}

__attribute__((noinline)) static void leave(struct account *account) {
    account->entered--;
    omp_unset_lock(&account->lock);
}

__attribute__((noinline)) static void move(struct account *from, struct account *to) {
    enter(from);
    wait_for_all(2);
    enter(to);
    from->sum -= 1, to->sum += 1;
    leave(to);
    leave(from);
}

__attribute__((noinline)) static void there(void) {
    move(&first, &second); // <A>
    first.sum++;
}

__attribute__((noinline)) static void back(void) {
    move(&second, &first); // <B>
    second.sum++;
}

int main(void) {
    omp_init_lock(&first.lock), omp_init_lock(&second.lock);
    ready();
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        there();
        #pragma omp section
        back();
    }
    return first.sum > 1;
}
