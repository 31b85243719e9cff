// A worker thread ends on a broken packet and takes the statistics' mutex with it.
// @kind: holder-gone
// @says: has a way out at
// @also: -O0
#include "hang.h"

struct packet {
    int length;
    int checksum;
};

static struct {
    pthread_mutex_t mutex;
    long packets;
    long bytes;
} statistics = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static const struct packet packets[3][4] = {
    {{10, 10}, {20, 20}, {30, 30}, {1, 1}},
    {{10, 10}, {20, 21}, {30, 30}, {1, 1}},
    {{10, 10}, {20, 20}, {30, 30}, {1, 1}},
};
static int error_count;

static void *work(void *argument) {
    const struct packet *all = argument;
    for (int at = 0; at < 4; at++) {
        pthread_mutex_lock(&statistics.mutex); // <A>
        if (all[at].length != all[at].checksum) {
            error_count++;
            return (void *)1; // <B>
        }
        statistics.packets++;
        statistics.bytes += all[at].length;
        pthread_mutex_unlock(&statistics.mutex);
        usleep(1000);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    ready();
    for (int at = 0; at < 3; at++)
        pthread_create(&threads[at], NULL, work, (void *)packets[at]);
    for (int at = 0; at < 3; at++) pthread_join(threads[at], NULL);
    pthread_mutex_lock(&statistics.mutex); // <A>
    printf("%ld packets, %ld bytes\n", statistics.packets, statistics.bytes);
    pthread_mutex_unlock(&statistics.mutex);
    return 0;
}
