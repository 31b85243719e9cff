/* A debugger that asks everything that OMPD of 2016 can be asked: y2016 live|core|run WHAT
 * dump|codes|random|runs [N]. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "y2016.h"

#define POINTER(name, arguments) ompd_rc_t(*p_##name) arguments;
FOREACH_OMPD_FN(POINTER)
#undef POINTER

long allocated;
int fail_alloc, fail_read, context;

static ompd_rc_t allocate(ompd_size_t bytes, void **memory) {
  if (fail_alloc || !(*memory = malloc(bytes))) return ompd_rc_nomem;
  allocated++;
  return ompd_rc_ok;
}
ompd_rc_t release(void *memory) {
  allocated--;
  free(memory);
  return ompd_rc_ok;
}
static ompd_rc_t print(const char *string) {
  printf("library: %s", string);
  return ompd_rc_ok;
}
static ompd_rc_t sizes(ompd_address_space_context_t *space, ompd_target_type_sizes_t *sizes) {
  (void)space;
  *sizes = (ompd_target_type_sizes_t){1, 2, 4, 8, 8, 8};
  return ompd_rc_ok;
}
static ompd_rc_t symbol(ompd_address_space_context_t *space, ompd_thread_context_t *thread,
                        const char *name, ompd_address_t *address) {
  (void)space, (void)thread;
  *address = (ompd_address_t){OMPD_SEGMENT_UNSPECIFIED, target_symbol(name)};
  return address->address ? ompd_rc_ok : ompd_rc_error;
}
static ompd_rc_t get(ompd_address_space_context_t *space, ompd_thread_context_t *thread,
                     const ompd_address_t *address, ompd_tword_t bytes, void *buffer) {
  (void)space, (void)thread;
  return fail_read || target_read(address->address, buffer, bytes) ? ompd_rc_error : ompd_rc_ok;
}
static ompd_rc_t put(ompd_address_space_context_t *space, ompd_thread_context_t *thread,
                     const ompd_address_t *address, ompd_tword_t bytes, const void *buffer) {
  (void)space, (void)thread;
  return target_write(address->address, buffer, bytes) ? ompd_rc_error : ompd_rc_ok;
}
static ompd_rc_t convert(ompd_address_space_context_t *space, const void *input, int unit,
                         int count, void *output) {
  (void)space;
  memcpy(output, input, (size_t)unit * count);
  return ompd_rc_ok;
}
ompd_callbacks_t callbacks = {allocate, release, print,   sizes, symbol, get,
                              put,      convert, convert, 0,     0};

ompd_address_space_handle_t *space;

void load(void) {
  uint64_t list = 0, entry, at = target_symbol("ompd_dll_locations");
  if (!at || target_read(at, &list, 8)) exit(2);
  for (; !target_read(list, &entry, 8) && entry; list += 8) {
    void *library = dlopen(target_text(entry), RTLD_NOW | RTLD_LOCAL);
    if (!library || !dlsym(library, "ompd_get_version")) continue;
#define FIND(name, arguments) \
  if (!(p_##name = (void *)dlsym(library, #name))) \
    printf("WRONG: the library has no " #name "\n"), exit(2);
    FOREACH_OMPD_FN(FIND)
#undef FIND
    return;
  }
  printf("WRONG: no library of this generation\n");
  exit(2);
}

void begin(void) {
  OK(p_ompd_initialize(&callbacks));
  OK(p_ompd_process_initialize((void *)&context, &space));
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  target_open(argv[1], argv[2]);
  if (!strcmp(argv[3], "runs")) return runs(argc > 4), 0;
  load();
  if (!strcmp(argv[3], "dump")) dump();
  if (!strcmp(argv[3], "codes")) codes();
  if (!strcmp(argv[3], "random")) random_calls(argc > 4 ? atol(argv[4]) : 10000);
  target_close();
  return 0;
}
