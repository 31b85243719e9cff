// A thread accepts connections, and another one reads what its user types: both feed members, which
// wait for a condition, for a semaphore, or at a word of their own.
// @kind: none
#include "hang.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <netinet/in.h>
#include <semaphore.h>
#include <sys/socket.h>
#include <thread>

static std::mutex guard;
static std::condition_variable come;
static std::atomic<int> turns;
static sem_t slots;
static int waiting;

static void bring() {
    std::lock_guard<std::mutex> own(guard);
    waiting++;
    come.notify_one();
    sem_post(&slots);
    turns++;
    turns.notify_all();
}

int main() {
    int listens = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listens, (sockaddr *)&address, sizeof address) || listen(listens, 5)) return 1;
    sem_init(&slots, 0, 0);
    std::thread accepts([listens] {
        for (;;) {
            int one = accept(listens, nullptr, nullptr);
            bring();
            close(one);
        }
    });
    std::thread types([] {
        while (getchar() != EOF) bring();
    });
    ready();
    #pragma omp parallel num_threads(3)
    switch (omp_get_thread_num()) {
    case 0: {
        std::unique_lock<std::mutex> own(guard);
        come.wait(own, [] { return waiting > 3; });
        break;
    }
    case 1: sem_wait(&slots); break;
    default: turns.wait(0);
    }
    types.join();
    accepts.join();
}
