// A plugin of GCC's for devices, as its `libgomp-plugin.h` has it: the devices' memory is the C
// library's, and a region's code a function of this process. What would be wrong on a device ends
// the program: memory of another device, of nobody, freed twice, a device that never began.
//
// PLAYER_DEVICES says how many devices there are (1), PLAYER_NATIVE that they run the host's code,
// PLAYER_VERSION the version that the plugin says it has (1).
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>

extern void *GOMP_PLUGIN_malloc(size_t);
extern void *GOMP_PLUGIN_malloc_cleared(size_t);
extern void *GOMP_PLUGIN_realloc(void *, size_t);
extern void GOMP_PLUGIN_debug(int, const char *, ...);
extern void GOMP_PLUGIN_error(const char *, ...);
extern void GOMP_PLUGIN_fatal(const char *, ...) __attribute__((noreturn));

struct pair { uintptr_t start, end; };
// What the program's image has: functions and variables of the device's own.
struct image { unsigned functions, variables; struct pair *all; };

enum { MOST = 4, TYPE = 5, NATIVE = 2, OPENMP = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block { char *start; size_t size; int device; struct block *next; } *blocks;
static bool began[MOST];
static struct image *images[MOST];

static int asked(const char *name, int otherwise) {
  const char *text = getenv(name);
  return text ? atoi(text) : otherwise;
}

const char *GOMP_OFFLOAD_get_name(void) { return "player"; }
unsigned GOMP_OFFLOAD_get_caps(void) { return OPENMP | (asked("PLAYER_NATIVE", 0) ? NATIVE : 0); }
int GOMP_OFFLOAD_get_type(void) { return TYPE; }
unsigned GOMP_OFFLOAD_version(void) { return asked("PLAYER_VERSION", 1); }

int GOMP_OFFLOAD_get_num_devices(void) {
  int count = asked("PLAYER_DEVICES", 1);
  GOMP_PLUGIN_debug(0, "%s: %d of %d devices, %.1f, %zu, %d, %d, %d, %s\n", "player", count, MOST,
                    0.5, sizeof(int), 6, 7, 8, "last");
  if (count > MOST) GOMP_PLUGIN_fatal("%d devices are too many, %d are possible", count, MOST);
  return count;
}

bool GOMP_OFFLOAD_init_device(int device) {
  if (began[device]) GOMP_PLUGIN_fatal("device %d began before", device);
  char *text = GOMP_PLUGIN_realloc(GOMP_PLUGIN_malloc_cleared(8), 1 << 16);
  for (int i = 0; i < 8; i++)
    if (text[i]) GOMP_PLUGIN_fatal("memory that is not cleared");
  free(text);
  return began[device] = true;
}

bool GOMP_OFFLOAD_fini_device(int device) { return began[device]; }

int GOMP_OFFLOAD_load_image(int device, unsigned version, const void *data, struct pair **table) {
  const struct image *image = data;
  if (!began[device]) GOMP_PLUGIN_fatal("an image for device %d, which never began", device);
  if (images[device]) GOMP_PLUGIN_fatal("device %d has an image", device);
  images[device] = (struct image *)image;
  unsigned count = image->functions + image->variables;
  *table = GOMP_PLUGIN_malloc(count * sizeof **table);
  memcpy(*table, image->all, count * sizeof **table);
  // Each device has variables of its own.
  for (unsigned i = image->functions; i < count; i++) {
    struct pair *pair = &(*table)[i];
    size_t size = pair->end - pair->start;
    char *own = GOMP_PLUGIN_malloc(size);
    memcpy(own, (void *)pair->start, size);
    struct block *block = GOMP_PLUGIN_malloc(sizeof *block);
    *block = (struct block){own, size, device, blocks};
    blocks = block;
    *pair = (struct pair){(uintptr_t)own, (uintptr_t)own + size};
  }
  return count;
}

bool GOMP_OFFLOAD_unload_image(int device, unsigned version, const void *data) {
  bool known = images[device] == data;
  images[device] = NULL;
  return known;
}

void *GOMP_OFFLOAD_alloc(int device, size_t size) {
  if (!began[device]) GOMP_PLUGIN_fatal("memory of device %d, which never began", device);
  struct block *block = GOMP_PLUGIN_malloc(sizeof *block);
  char *start = GOMP_PLUGIN_malloc(size);
  memset(start, 0xa5, size);
  pthread_mutex_lock(&lock);
  *block = (struct block){start, size, device, blocks};
  blocks = block;
  pthread_mutex_unlock(&lock);
  return start;
}

bool GOMP_OFFLOAD_free(int device, void *start) {
  pthread_mutex_lock(&lock);
  struct block **at = &blocks;
  while (*at && ((*at)->start != start || (*at)->device != device)) at = &(*at)->next;
  struct block *gone = *at;
  if (gone) *at = gone->next;
  pthread_mutex_unlock(&lock);
  if (!gone) GOMP_PLUGIN_fatal("%p is no block of device %d", start, device);
  free(gone->start);
  free(gone);
  return true;
}

static void must_own(int device, const void *start, size_t size) {
  pthread_mutex_lock(&lock);
  struct block *at = blocks;
  const char *begin = start;
  while (at && (at->device != device || begin < at->start || begin + size > at->start + at->size))
    at = at->next;
  pthread_mutex_unlock(&lock);
  if (!at) GOMP_PLUGIN_fatal("%zu bytes at %p are not device %d's", size, start, device);
}

bool GOMP_OFFLOAD_dev2host(int device, void *host, const void *from, size_t size) {
  must_own(device, from, size);
  memcpy(host, from, size);
  return true;
}

bool GOMP_OFFLOAD_host2dev(int device, void *to, const void *host, size_t size) {
  must_own(device, to, size);
  memcpy(to, host, size);
  return true;
}

bool GOMP_OFFLOAD_dev2dev(int device, void *to, const void *from, size_t size) {
  must_own(device, to, size);
  must_own(device, from, size);
  memmove(to, from, size);
  return true;
}

bool GOMP_OFFLOAD_can_run(void *code) { return true; }

void GOMP_OFFLOAD_run(int device, void *code, void *variables, void **words) {
  if (!words) GOMP_PLUGIN_fatal("no words of clauses");
  if (variables) must_own(device, variables, sizeof(void *));
  ((void (*)(void *))code)(variables);
}
