// A library that sleeps, from functions without a frame pointer.
#include <unistd.h>

__attribute__((noinline)) int rests(int times) {
    for (int i = 0; i < times; i++) usleep(30000);
    return times;
}

int begins(int times) { return rests(times) + 1; }
