/* A debugger that asks everything that OMPD 5.0 to 6.0 can be asked, of a live process and of a
 * core:
 *   five live|core WHAT dump     what each thread, region and task is, and every ICV of each
 *   five live|core WHAT codes    each return code that a function can give
 *   five live|core WHAT random N so many calls of anything with any handle
 *   five live|core WHAT look N [SEED] so many looks at memory that is damaged by chance
 * Everything that it prints is the same for a process and its core. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "five.h"

#define POINTER(name, arguments) ompd_rc_t(*p_##name) arguments;
FOREACH_OMPD_FN(POINTER)
#undef POINTER
char *(*p_snapshot)(ompd_address_space_handle_t *);
char *(*p_look)(ompd_address_space_handle_t *, const char *, const char *);
char *(*p_why)(const char *, const char *);
void (*p_free)(char *);

long allocated;
int fail_alloc, fail_read, fail_sizes;
int context;

static ompd_rc_t allocate(ompd_size_t bytes, void **memory) {
  if (fail_alloc || !(*memory = malloc(bytes))) return ompd_rc_nomem;
  allocated++;
  return ompd_rc_ok;
}
ompd_rc_t give_back(void *memory) {
  allocated--;
  free(memory);
  return ompd_rc_ok;
}
static ompd_rc_t print(const char *string, int category) {
  printf("library (%d): %s", category, string);
  return ompd_rc_ok;
}
static ompd_rc_t sizes(ompd_address_space_context_t *space, ompd_device_type_sizes_t *sizes) {
  (void)space;
  *sizes = (ompd_device_type_sizes_t){1, 2, 4, 8, 8, 8};
  return fail_sizes ? ompd_rc_error : ompd_rc_ok;
}
static ompd_rc_t symbol(ompd_address_space_context_t *space, ompd_thread_context_t *thread,
                        const char *name, ompd_address_t *address, const char *file) {
  (void)thread, (void)file;
  if ((void *)space != &context) return ompd_rc_bad_input;
  address->segment = ompd_segment_none;
  address->address = target_symbol(name);
  return address->address ? ompd_rc_ok : ompd_rc_error;
}
static ompd_rc_t get(ompd_address_space_context_t *space, ompd_thread_context_t *thread,
                     const ompd_address_t *address, ompd_size_t bytes, void *buffer) {
  (void)space, (void)thread;
  return fail_read || target_read(address->address, buffer, bytes) ? ompd_rc_error : ompd_rc_ok;
}
static ompd_rc_t put(ompd_address_space_context_t *space, ompd_thread_context_t *thread,
                     const ompd_address_t *address, ompd_size_t bytes, const void *buffer) {
  (void)space, (void)thread;
  return target_write(address->address, buffer, bytes) ? ompd_rc_error : ompd_rc_ok;
}
static ompd_rc_t convert(ompd_address_space_context_t *space, const void *input, ompd_size_t unit,
                         ompd_size_t count, void *output) {
  (void)space;
  memcpy(output, input, unit * count);
  return ompd_rc_ok;
}
static ompd_rc_t thread_context(ompd_address_space_context_t *space, ompd_thread_id_t kind,
                                ompd_size_t size, const void *id, ompd_thread_context_t **thread) {
  (void)space, (void)kind, (void)size, (void)id, (void)thread;
  return ompd_rc_unavailable;
}
ompd_callbacks_t callbacks = {allocate, give_back, print, sizes, symbol, get,
                              put,      get,       convert, convert, thread_context};

/* Loads the first library of ompd_dll_locations that speaks this version. */
static void load(void) {
  uint64_t list = 0, entry, at = target_symbol("ompd_dll_locations");
  if (!at || target_read(at, &list, 8) || !list) {
    fprintf(stderr, "debugger: no ompd_dll_locations\n");
    exit(2);
  }
  for (; !target_read(list, &entry, 8) && entry; list += 8) {
    const char *name = target_text(entry);
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library || !dlsym(library, "ompd_get_api_version")) continue;
#define FIND(name, arguments)                                     \
  if (!(p_##name = (void *)dlsym(library, #name))) {              \
    fprintf(stderr, "debugger: the library has no " #name "\n"); \
    exit(2);                                                      \
  }
    FOREACH_OMPD_FN(FIND)
#undef FIND
    p_snapshot = (void *)dlsym(library, "omphalos_snapshot");
    p_look = (void *)dlsym(library, "omphalos_look");
    p_why = (void *)dlsym(library, "omphalos_why");
    p_free = (void *)dlsym(library, "omphalos_free");
    return;
  }
  fprintf(stderr, "debugger: no library of ompd_dll_locations can be loaded\n");
  exit(2);
}

ompd_address_space_handle_t *space;

void begin(ompd_word_t version) {
  OK(p_ompd_initialize(version, &callbacks));
  ompd_rc_t code = p_ompd_process_initialize((void *)&context, &space);
  if (code != ompd_rc_ok) {
    fprintf(stderr, "debugger: ompd_process_initialize: %d\n", code);
    exit(2);
  }
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: five live|core WHAT dump|codes|random|look|snapshot [N]\n");
    return 2;
  }
  target_open(argv[1], argv[2]);
  load();
  if (!strcmp(argv[3], "dump"))
    dump();
  else if (!strcmp(argv[3], "codes"))
    codes();
  else if (!strcmp(argv[3], "random"))
    random_calls(argc > 4 ? atol(argv[4]) : 10000);
  else if (!strcmp(argv[3], "look"))
    looks(argc > 4 ? atol(argv[4]) : 100, argc > 5 ? atol(argv[5]) : 0);
  else {
    begin(201811);
    char *now = p_snapshot(space), *why = p_why(now, NULL), *none = p_why("{", NULL);
    printf("%s\n%s\n%s\n", now, why, none ? none : "none");
    p_free(now);
    p_free(why);
    p_free(NULL);
  }
  target_close();
  return 0;
}
