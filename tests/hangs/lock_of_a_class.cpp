// Locks in a circle, taken by a class and a guard of the program's: their callers' lines are named.
// @kind: lock-cycle
// @also: -O0
#include "hang.h"

#include <mutex>

class Lock {
    omp_lock_t lock_;

  public:
    Lock() { omp_init_lock(&lock_); }
    void lock() {
        omp_set_lock(&lock_); // <never>
    }
    void unlock() { omp_unset_lock(&lock_); }
};

class Guard {
    Lock &lock_;

  public:
    explicit Guard(Lock &lock) : lock_(lock) {
        lock_.lock(); // <never>
    }
    ~Guard() { lock_.unlock(); }
};

struct Account {
    Lock lock;
    long balance = 100;
};

static Account account[3];

static void transfer(Account &from, Account &to) {
    std::lock_guard<Lock> first(from.lock); // <B>
    wait_for_all(3);
    Guard second(to.lock); // <A>
    from.balance--;
    to.balance++;
}

int main() {
    ready();
    #pragma omp parallel for num_threads(3) schedule(static, 1)
    for (int i = 0; i < 3; i++) transfer(account[i], account[(i + 1) % 3]);
    return 0;
}
