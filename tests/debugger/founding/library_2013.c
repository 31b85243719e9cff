/* The library itself: its name, its version, its words for errors, the settings, and that it does
 * all by the debugger's callbacks. The test sets the environment. */
#include "own.h"
static void at_place(int place) { (void)place; }

static int has_line(const char *text, const char *line)
{
  const char *at = strstr(text, line);
  size_t length = strlen(line);
  while (at && !((at == text || at[-1] == '\n') && at[length] == '\n')) at = strstr(at + 1, line);
  return at != NULL;
}

/* Appendix B, in numbers. */
static void numbers(void)
{
  RULE(sizeof(ompd_taddr_t) == 8 && (ompd_taddr_t)-1 > 0, "an address");
  RULE(sizeof(ompd_tword_t) == 8 && (ompd_tword_t)-1 < 0, "a word");
  RULE(ompd_osthread_pthread == 0 && ompd_osthread_lwp == 1, "kinds of threads");
  RULE(sizeof(ompd_osthread_t) == 16 && offsetof(ompd_osthread_t, data) == 8, "a thread");
  RULE(sizeof(ompd_thread_handle_t) == 8 && sizeof(ompd_parallel_handle_t) == 8 &&
           sizeof(ompd_task_handle_t) == 8 && sizeof(ompd_type_handle_t) == 8,
       "handles");
  RULE(ompd_rc_ok == 0 && ompd_rc_unavailable == 1 && ompd_rc_stale_handle == 2, "codes");
  RULE(ompt_rc_bad_input == 3 && ompt_rc_error == 4 && ompt_rc_unsupported == 5, "codes");
  RULE(ompd_rc_needs_state_tracking == 6, "codes");
  RULE(sizeof(ompd_target_type_sizes_t) == 6 * sizeof(int), "sizes");
  RULE(sizeof(ompd_breakpoints_t) == 32 && offsetof(ompd_breakpoints_t, task_pre_execute) == 16 &&
           offsetof(ompd_breakpoints_t, parallel_post_execute) == 8,
       "places");
#define AT(field) offsetof(ompd_callbacks_t, field)
  static const size_t order[] = {
      AT(d_alloc_memory), AT(d_free_memory), AT(get_error_string), AT(print_string),
      AT(t_sizeof_prim_type), AT(t_symbol_addr_lookup), AT(t_type_lookup), AT(t_type_sizeof),
      AT(t_type_field_offset), AT(t_read_memory), AT(t_write_memory), AT(target_to_host)};
  for (size_t i = 0; i < 12; i++) RULE(order[i] == 8 * i, "callback %zu", i);
}

int main(void)
{
  ompd_thread_handle_t *threads;
  ompd_tword_t number;
  const char *text = NULL;
  int version = 0, count = 0;
  numbers();
  omp_get_max_threads();
  load();
  OK(p_ompd_get_version_string(&text));
  RULE(text && strlen(text) > 8, "%s", text);
  OK(p_ompd_get_version_compatibility(&version));
  RULE(version == 1, "version %d", version);
  /* Each code has words of its own. */
  const char *words[7];
  for (int code = 0; code < 7; code++) {
    OK(p_ompd_get_error_string(code, &words[code]));
    RULE(words[code] && words[code][0], "code %d", code);
    for (int other = 0; other < code; other++)
      RULE(strcmp(words[code], words[other]), "%d and %d", code, other);
  }
  EXPECT(ompt_rc_bad_input, p_ompd_get_error_string(7, &text));
  EXPECT(ompt_rc_bad_input, p_ompd_get_error_string(-1, &text));
  /* A question with a context, by the debugger's callbacks; its memory is the debugger's. */
  OK(p_ompd_get_threads(context, &threads, &count));
  RULE(count >= 1 && allocated == 1 && handed_out == 1, "%ld pieces", allocated);
  RULE(initialized == 1, "ompd_initialize() is called %d times", initialized);
  RULE(looked_up > 0 && read_bytes > 0, "%ld symbols, %ld bytes", looked_up, read_bytes);
  RULE(sized > 0 && converted > 0, "%ld sizes, %ld conversions", sized, converted);
  RULE(other_contexts == 0, "another context %d times", other_contexts);
  release(threads);
  OK(p_ompd_get_threads(context, NULL, &count));
  RULE(initialized == 1, "ompd_initialize() is called %d times", initialized);
  /* Wrong questions. */
  EXPECT(ompt_rc_bad_input, p_ompd_get_threads(context, &threads, NULL));
  EXPECT(ompt_rc_bad_input, p_ompd_get_threads(NULL, &threads, &count));
  EXPECT(ompt_rc_bad_input, p_ompd_get_level(context, own_thread(), &number));
  EXPECT(ompt_rc_bad_input, p_ompd_get_level(context, own_region(), NULL));
  EXPECT(ompd_rc_stale_handle, p_ompd_get_level(context, 4711, &number));
  EXPECT(ompt_rc_unsupported,
         p_ompd_get_thread_handle(context, &(ompd_osthread_t){.kind = 7}, &threads[0]));
  fail_read = 1;
  EXPECT(ompt_rc_error, p_ompd_get_threads(context, &threads, &count));
  fail_read = 0;
  /* Settings: lines of a name and a value, the environment's among them. */
  OK(p_ompd_display_control_vars(&text));
  int lines = 0;
  for (const char *at = text; *at; at = strchr(at, '\n') + 1) {
    size_t name = strcspn(at, "=\n");
    RULE(at[name] == '=' && name > 0 && strchr(at, '\n'), "%.*s", (int)name, at);
    if (!strchr(at, '\n')) break;
    lines++;
  }
  RULE(lines > 10, "%d lines", lines);
  static const char *const expected[] = {
      "OMP_NUM_THREADS=3",  "OMP_SCHEDULE=guided,4",  "OMP_DYNAMIC=true",
      "OMP_PROC_BIND=true", "OMP_WAIT_POLICY=passive", "OMP_MAX_ACTIVE_LEVELS=4",
      "OMP_THREAD_LIMIT=9", "OMP_CANCELLATION=true"};
  for (int i = 0; i < 8; i++) RULE(has_line(text, expected[i]), "no %s in\n%s", expected[i], text);
  RULE(strstr(text, "\nOMP_PLACES=") && strstr(text, "\nOMP_STACKSIZE="), "%s", text);
  release(text);
  RULE(allocated == 0, "%ld pieces are left", allocated);
  return end();
}
