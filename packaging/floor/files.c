/* `stat` and its like, which are functions of the C library since 2.33: before, each program had
   them, and they called these, with the version of the structure. */

#define VERSION 1

#define HIDDEN __attribute__((visibility("hidden")))

int __xstat(int, const char *, void *);
int __lxstat(int, const char *, void *);
int __fxstat(int, int, void *);
int __fxstatat(int, int, const char *, void *, int);

HIDDEN int stat(const char *path, void *into) { return __xstat(VERSION, path, into); }
HIDDEN int stat64(const char *path, void *into) { return __xstat(VERSION, path, into); }
HIDDEN int lstat(const char *path, void *into) { return __lxstat(VERSION, path, into); }
HIDDEN int lstat64(const char *path, void *into) { return __lxstat(VERSION, path, into); }
HIDDEN int fstat(int file, void *into) { return __fxstat(VERSION, file, into); }
HIDDEN int fstat64(int file, void *into) { return __fxstat(VERSION, file, into); }

HIDDEN int fstatat(int folder, const char *path, void *into, int flags) {
    return __fxstatat(VERSION, folder, path, into, flags);
}

HIDDEN int fstatat64(int folder, const char *path, void *into, int flags) {
    return __fxstatat(VERSION, folder, path, into, flags);
}
