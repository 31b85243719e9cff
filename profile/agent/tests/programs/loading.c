// Loads a library behind its only region, and sleeps in it.
#include <dlfcn.h>
#include <stdio.h>

__attribute__((noinline)) static int use(const char *library) {
    void *handle = dlopen(library, RTLD_NOW);
    int (*begins)(int) = handle ? (int (*)(int))dlsym(handle, "begins") : NULL;
    return begins ? begins(4) + 1 : 0;
}

int main(int count, char **arguments) {
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
    if (count != 2 || use(arguments[1]) != 6) return 3;
    puts("ok");
    return 0;
}
