/* Entry points that the runtime a compiler came with does not have yet: the program finds them when
 * it runs, since the linker would not. */
#ifndef NEWER_H
#define NEWER_H
#include "check.h"
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

/* Declares a pointer `newer_NAME`, since newer headers declare the name itself; NEWER_FIND makes it
 * point there. */
#define NEWER(type, name, ...) static type (*newer_##name)(__VA_ARGS__)
#define NEWER_FIND(name) \
    do { \
        *(void **)&newer_##name = dlsym(RTLD_DEFAULT, #name); \
        if (!newer_##name) { \
            fprintf(stderr, "the runtime does not offer %s\n", #name); \
            exit(1); \
        } \
    } while (0)
#endif
