// An entry was put twice into a chain of a table: the chain is a circle, and who looks for a name
// that is not there never finds its end. The others wait for the table's lock.
// @kind: spins
// @says: walks in a circle of 2 elements at chain_of_names.cpp:
// @says: by the member 'next' each leads to the next one (read at chain_of_names.cpp:
// @says: wait for the pthread mutex
#include <mutex>
#include <string>
#include <thread>
#include <vector>
#include "hang.h"

struct Entry {
    std::string name;
    int value;
    Entry *next;
};

static std::mutex guard;
static Entry *first;

static void put(Entry *entry) {
    entry->next = first; // <B>
    first = entry;
}

static int __attribute__((noinline)) value_of(const std::string &name) {
    std::lock_guard<std::mutex> hold(guard);
    for (Entry *entry = first; entry; entry = entry->next) // <A>
        if (entry->name == name) return entry->value;
    return 0;
}

int main() {
    Entry one{"one", 1, nullptr}, two{"two", 2, nullptr}, six{"six", 6, nullptr};
    put(&one);
    put(&two);
    put(&one);
    put(&six);
    ready();
    std::vector<std::thread> all;
    for (int at = 0; at < 3; at++) all.emplace_back([] { printf("%d\n", value_of("ten")); });
    for (std::thread &one : all) one.join();
    return 0;
}
