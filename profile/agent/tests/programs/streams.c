// Reads and writes streams that others are slow to fill and to empty, each call in turn; says which
// calls there were. Another thread serves a call once the first one sleeps in it, 20 ms later.
#define _GNU_SOURCE
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pid_t first;

static void await_sleep(void)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", first);
    for (char state = 0; state != 'S'; usleep(1000)) {
        int file = open(path, O_RDONLY);
        ssize_t length = read(file, text, sizeof text - 1);
        close(file);
        text[length > 0 ? length : 0] = 0;
        char *end = strrchr(text, ')');
        state = end ? end[2] : 0;
    }
    usleep(20000);
}

struct way {
    int file;
    const char *what;
};

static void *fills(void *given)
{
    struct way *way = given;
    await_sleep();
    if (write(way->file, way->what, strlen(way->what)) < 0)
        exit(1);
    return NULL;
}

static void *empties(void *given)
{
    struct way *way = given;
    char bytes[4096];
    await_sleep();
    while (read(way->file, bytes, sizeof bytes) > 0) {
    }
    return NULL;
}

static int wrong;

#define SLOWLY(how, end, text, right)                                     \
    do {                                                                  \
        pthread_t other;                                                  \
        struct way way = {end, text};                                     \
        pthread_create(&other, NULL, how, &way);                          \
        if (!(right)) {                                                   \
            fprintf(stderr, "wrong: %s\n", #right);                       \
            wrong++;                                                      \
        }                                                                 \
        pthread_join(other, NULL);                                        \
    } while (0)

static FILE *in, *out;

static int numbers(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int found = vfscanf(in, format, list);
    va_end(list);
    return found;
}

/// The pipe is full to the last byte, so that the next one has to wait.
static void fill(int file)
{
    char bytes[4096] = {0};
    fcntl(file, F_SETFL, O_NONBLOCK);
    for (size_t size = sizeof bytes; size > 0; size /= 2)
        while (write(file, bytes, size) > 0) {
        }
    fcntl(file, F_SETFL, 0);
}

int main(void)
{
    first = getpid();
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
    int to[2], from[2];
    char line[80], *longer = NULL;
    size_t size = 0;
    double x = 0, y = 0, z[9];
    int a, b;
    if (pipe(to) || pipe(from) || dup2(to[0], 0) != 0)
        return 1;
    in = fdopen(to[0], "r");
    // What is left of a line before does not help.
    SLOWLY(fills, to[1], "1 2.5\n", fscanf(in, "%d%lf", &a, &x) == 2 && a == 1 && x == 2.5);
    SLOWLY(fills, to[1], " 3 4 5 6 7 8 9 10 11 12\n",
           fscanf(in, "%lf%lf%lf%lf%lf%lf%lf%lf%lf%d", z, z + 1, z + 2, z + 3, z + 4, z + 5, z + 6,
                  z + 7, z + 8, &b) == 10 && z[8] == 11 && b == 12);
    SLOWLY(fills, to[1], "13 14\nab", numbers("%d %lf\n", &a, &y) == 2 && a == 13 && y == 14);
    SLOWLY(fills, to[1], "c\n", fgets(line, sizeof line, in) && strcmp(line, "abc\n") == 0);
    SLOWLY(fills, to[1], "def\n", getline(&longer, &size, in) == 4);
    SLOWLY(fills, to[1], "12345678", fread(line, 1, 8, in) == 8);
    SLOWLY(fills, to[1], "x", getc(in) == 'x');
    SLOWLY(fills, to[1], "y", getc_unlocked(in) == 'y');
    SLOWLY(fills, to[1], "z", getchar() == 'z');
    SLOWLY(fills, to[1], "15 ", scanf("%d", &a) == 1 && a == 15);
    // A full pipe, without a buffer before it.
    if (fcntl(from[1], F_SETPIPE_SZ, 4096) < 0)
        return 1;
    fcntl(from[0], F_SETFL, O_NONBLOCK);
    int shown = dup(1);
    dup2(from[1], 1);
    out = stdout;
    setvbuf(out, NULL, _IONBF, 0);
    fill(1);
    SLOWLY(empties, from[0], "", printf("%d %s %.1f %d %d %d %d %.1f", 1, "two", 3.0, 4, 5, 6, 7,
                                        8.0) == 21);
    fill(1);
    SLOWLY(empties, from[0], "", fprintf(out, "%d %.2f", 9, 10.0) == 7);
    fill(1);
    SLOWLY(empties, from[0], "", puts("text") >= 0);
    fill(1);
    SLOWLY(empties, from[0], "", fputs("text", out) >= 0);
    fill(1);
    SLOWLY(empties, from[0], "", putc('c', out) == 'c');
    fill(1);
    SLOWLY(empties, from[0], "", fwrite("text", 4, 1, out) == 1);
    fflush(out);
    dup2(shown, 1);
    printf("ok %d\n", wrong);
    return wrong;
}
