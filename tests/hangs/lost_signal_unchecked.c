// The settings are loaded, and that is signalled, before the main thread waits for it: nothing
// looks at the flag before the wait.
// @kind: condition-not-signalled
// @says: There is no loop around the wait
// @also: -O0
#include "hang.h"

#include <string.h>

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t loaded;
    int is_loaded;
    char name[32];
} settings = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, ""};

static void *load(void *unused) {
    (void)unused;
    pthread_mutex_lock(&settings.mutex);
    strcpy(settings.name, "default");
    settings.is_loaded = 1;
    pthread_cond_signal(&settings.loaded); // <B>
    pthread_mutex_unlock(&settings.mutex);
    return NULL;
}

static void prepare(void) {
    double sum = 0;
    for (int at = 1; at < 1000; at++) sum += 1.0 / at;
    if (sum < 0) puts("negative");
}

int main(void) {
    pthread_t loader;
    ready();
    pthread_create(&loader, NULL, load, NULL);
    prepare();
    pthread_join(loader, NULL);
    pthread_mutex_lock(&settings.mutex);
    pthread_cond_wait(&settings.loaded, &settings.mutex); // <A>
    pthread_mutex_unlock(&settings.mutex);
    printf("%s\n", settings.name);
    return 0;
}
