/* Control groups of the test's own: preloaded, it sends whoever opens the kernel's files about them
 * to a folder that has the same files. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_there(const char *path, int flags, int mode)
{
    char there[4096];
    const char *base = getenv("QUOTA_ROOT");
    if (base && (!strncmp(path, "/proc/self/cgroup", 17) || !strncmp(path, "/sys/fs/cgroup", 14))) {
        snprintf(there, sizeof there, "%s%s", base, path);
        path = there;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
    va_end(rest);
    return open_there(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
    va_end(rest);
    return open_there(path, flags, mode);
}
