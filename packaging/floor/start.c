/* How programs begin on a C library before 2.34, which leaves their constructors to them. A newer
   one calls them itself, unless it is handed a function that does. */

typedef void constructor(int, char **, char **);

extern constructor *__init_array_start[] __attribute__((visibility("hidden")));
extern constructor *__init_array_end[] __attribute__((visibility("hidden")));
extern void _init(void);

int of_library(int (*main)(int, char **, char **), int count, char **arguments, constructor *init,
               void (*fini)(void), void (*of_loader)(void), void *stack);
__asm__(".symver of_library, __libc_start_main@GLIBC_2.2.5");

static void construct(int count, char **arguments, char **environment) {
    _init();
    for (constructor **next = __init_array_start; next != __init_array_end; next++)
        (*next)(count, arguments, environment);
}

__attribute__((visibility("hidden")))
int __libc_start_main(int (*main)(int, char **, char **), int count, char **arguments,
                      constructor *init, void (*fini)(void), void (*of_loader)(void), void *stack) {
    return of_library(main, count, arguments, construct, fini, of_loader, stack);
}
