// A constructor of a library begins a region while it is loaded; a member loads a library too.
// @kind: barrier-in-cycle
// @library: the same source
#include "hang.h"

#include <dlfcn.h>
#include <stddef.h>

volatile int seen;

#ifdef LIBRARY
__attribute__((constructor)) static void begin(void) {
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            seen += dlopen("libm.so.6", RTLD_NOW) != NULL; // <A>
        }
        #pragma omp barrier // <B>
        seen++;
    }
}
#else
int main(int count, char **words) {
    seen += dlopen(words[count - 1], RTLD_NOW) != NULL;
    return seen;
}
#endif
