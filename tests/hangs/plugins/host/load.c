// Loads the library that it is told and calls `work` in it: the library is to hang.
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

int main(int count, char **words) {
    void *library = count > 1 ? dlopen(words[1], RTLD_NOW) : NULL;
    void (*work)(void) = library ? (void (*)(void))dlsym(library, "work") : NULL;
    if (!work) return puts("no library"), 1;
    alarm(240);
    puts("ready");
    fflush(stdout);
    work();
    return 0;
}
