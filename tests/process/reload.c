/* A program without OpenMP loads a library with it, uses it and closes it, again and again. */
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    for (int round = 0; round < 20; round++) {
        void *library = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        int (*region)(int) = (int (*)(int))dlsym(library, "library_region");
        if (!region || region(3) != 3) {
            fprintf(stderr, "round %d: wrong team\n", round);
            return 1;
        }
        dlclose(library);
        if (round % 5 == 0)
            usleep(20000); /* idle workers must not find their code gone */
    }
    puts("ok");
    return 0;
}
