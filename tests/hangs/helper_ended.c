// The master waits until its helper connects, and the helper has ended before.
// @kind: system-call
// @says: its child, has ended with exit status 4
#include "hang.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static struct sockaddr_un at = {.sun_family = AF_UNIX};

static void helper(const char *library) {
    if (access(library, R_OK)) _exit(4);
    int end = socket(AF_UNIX, SOCK_STREAM, 0);
    connect(end, (struct sockaddr *)&at, sizeof at);
    _exit(0);
}

int main(void) {
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(at.sun_path, sizeof at.sun_path, "@helper %d", (int)getpid());
    at.sun_path[0] = 0; // a name that is in no folder
    bind(listener, (struct sockaddr *)&at, sizeof at);
    listen(listener, 1);
    if (!fork()) helper("/usr/lib/no_such_library.so");
    ready();
    #pragma omp parallel num_threads(2)
    {
        #pragma omp master
        accept(listener, NULL, NULL); // <A>
        #pragma omp barrier
    }
    return 0;
}
