/*
 * What the programs of this folder share: each is its own debugger of 2013. It loads the library
 * that ompt_debugger_plugin names, reads its own memory for it, plants breakpoints into itself, and
 * compares what OMPD says with what OpenMP and OMPT say at the same point.
 */
#ifndef OWN_H
#define OWN_H
#include "trap.h"
#include "ompd-2013.h"
#include "ompt-2013.h"

#define POINTER(name, arguments) static ompd_rc_t(*p_##name) arguments;
FOREACH_OMPD_FN(POINTER)
#undef POINTER
static int (*p_ompd_enable)(ompd_enable_setting_t);

/* The debugger's side. */
static int process, initialized, other_contexts;
static long allocated, handed_out, read_bytes, looked_up, converted, sized, written, fail_read;
#define context ((ompd_context_t *)&process)

static ompd_rc_t allocate(ompd_context_t *of, size_t bytes, void **to)
{
  other_contexts += of != context;
  allocated++;
  handed_out++;
  *to = malloc(bytes);
  return *to ? ompd_rc_ok : ompt_rc_error;
}
static ompd_rc_t release_in(ompd_context_t *of, void *piece)
{
  other_contexts += of != context;
  allocated--;
  free(piece);
  return ompd_rc_ok;
}
static void release(const void *piece) { release_in(context, (void *)piece); }
static ompd_rc_t sizes(ompd_context_t *of, ompd_target_type_sizes_t *to)
{
  other_contexts += of != context;
  sized++;
  *to = (ompd_target_type_sizes_t){1, 2, 4, 8, 8, 8};
  return ompd_rc_ok;
}
static ompd_rc_t symbol(ompd_context_t *of, const char *name, ompd_taddr_t *to)
{
  other_contexts += of != context;
  looked_up++;
  *to = (ompd_taddr_t)dlsym(RTLD_DEFAULT, name);
  return *to ? ompd_rc_ok : ompd_rc_unavailable;
}
static ompd_rc_t get(ompd_context_t *of, ompd_taddr_t *from, void *to, ompd_tword_t bytes)
{
  other_contexts += of != context;
  read_bytes += bytes;
  if (fail_read) return ompt_rc_error;
  return pread(memory, to, bytes, *from) == bytes ? ompd_rc_ok : ompt_rc_error;
}
static ompd_rc_t put(ompd_context_t *of, ompd_taddr_t *to, void *from, ompd_tword_t bytes)
{
  other_contexts += of != context;
  written += bytes;
  return pwrite(memory, from, bytes, *to) == bytes ? ompd_rc_ok : ompt_rc_error;
}
static ompd_rc_t convert(ompd_context_t *of, const void *from, void *to, int bytes)
{
  other_contexts += of != context;
  converted += bytes;
  memcpy(to, from, bytes);
  return ompd_rc_ok;
}
static ompd_rc_t refuse_type(ompd_context_t *of, const char *name, ompd_ttype_handle_t *to)
{
  (void)of, (void)name, (void)to;
  return ompt_rc_unsupported;
}
static ompd_rc_t print(ompd_context_t *of, const char *text)
{
  (void)of, (void)text;
  return ompd_rc_ok;
}

ompt_rc_t ompd_initialize(ompd_callbacks_t *data)
{
  initialized++;
  *data = (ompd_callbacks_t){.d_alloc_memory = allocate,
                             .d_free_memory = release_in,
                             .print_string = print,
                             .t_sizeof_prim_type = sizes,
                             .t_symbol_addr_lookup = symbol,
                             .t_type_lookup = refuse_type,
                             .t_read_memory = get,
                             .t_write_memory = put,
                             .target_to_host = convert};
  return ompd_rc_ok;
}

/* Loads the library, by the name that the runtime has, in LD_LIBRARY_PATH. */
static void *library;
static void load(void)
{
  const char **name = dlsym(RTLD_DEFAULT, "ompt_debugger_plugin");
  library = name ? dlopen(*name, RTLD_NOW | RTLD_LOCAL) : NULL;
  open_memory();
  RULE(name && library, "%s", name ? *name : "no name");
  if (!library) exit(1);
#define FIND(name, arguments) \
  p_##name = (void *)dlsym(library, #name); \
  RULE(p_##name, #name); \
  if (!p_##name) exit(1);
  FOREACH_OMPD_FN(FIND)
#undef FIND
  p_ompd_enable = (void *)dlsym(library, "ompd_enable");
  RULE(p_ompd_enable, "ompd_enable");
}

/* The handle of the calling thread. */
static ompd_thread_handle_t own_thread(void)
{
  ompd_osthread_t native = {.kind = ompd_osthread_lwp, .data.lwp = kernel_number()};
  ompd_thread_handle_t thread = 0;
  OK(p_ompd_get_thread_handle(context, &native, &thread));
  return thread;
}
static ompd_parallel_handle_t own_region(void)
{
  ompd_parallel_handle_t region = 0;
  OK(p_ompd_get_innermost_parallel_region(context, own_thread(), &region));
  return region;
}
static ompd_task_handle_t own_task(void)
{
  ompd_task_handle_t task = 0;
  OK(p_ompd_get_top_task_region(context, own_thread(), &task));
  return task;
}

#endif
