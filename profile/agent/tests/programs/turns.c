// Two libraries are loaded in turn, where the one before was, unless something keeps its place.
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int entered = 0;
#pragma omp parallel num_threads(2)
    entered += omp_get_thread_num() == 0;
    for (int i = 0; i < 20 && argc == 3; i++) {
        void *library = dlopen(argv[1 + i % 2], RTLD_NOW | RTLD_LOCAL);
        if (!library) return puts(dlerror());
        int (*spin)(int) = (int (*)(int))dlsym(library, "spin");
        entered += spin(1000) == 1000;
        dlclose(library);
    }
    printf("entered %d\n", entered);
    return 0;
}
