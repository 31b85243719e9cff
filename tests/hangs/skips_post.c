// A reader passes over lines that are no numbers, and does not tell the consumer about them.
// @kind: waits-for-ever
// @says: has a way past
// @also: -O0
#include "hang.h"

#include <ctype.h>
#include <semaphore.h>
#include <stdlib.h>

#define LINES 6

static const char *const lines[LINES] = {"12", "7", "x", "30", "4", "1"};
static int values[LINES];
static sem_t filled;
static int used;

static void *fill(void *unused) {
    (void)unused;
    for (int at = 0; at < LINES; at++) {
        if (!isdigit((unsigned char)lines[at][0])) {
            fprintf(stderr, "line %d is no number\n", at);
            continue; // <B>
        }
        values[used++] = atoi(lines[at]);
        sem_post(&filled);
    }
    return NULL;
}

int main(void) {
    int sum = 0;
    pthread_t reader;
    sem_init(&filled, 0, 0);
    ready();
    pthread_create(&reader, NULL, fill, NULL);
    for (int at = 0; at < LINES; at++) {
        sem_wait(&filled); // <A>
        sum += values[at];
    }
    pthread_join(reader, NULL);
    printf("%d\n", sum);
    return 0;
}
