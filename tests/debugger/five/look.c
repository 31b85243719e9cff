/* The look that debuggers' extensions take, at memory that holds anything, with registers, threads
 * and texts that may be wrong: no crash, no endless walk, bounded memory. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "five.h"

static uint64_t word_of_chance;
static uint64_t chance(void) {
  word_of_chance ^= word_of_chance << 13;
  word_of_chance ^= word_of_chance >> 7;
  return word_of_chance ^= word_of_chance << 17;
}

/* The round that is under way, for the message of one that does not end. */
static volatile long round_now;
static void too_long(int signal) {
  (void)signal;
  printf("WRONG: round %ld does not end\n", round_now);
  fflush(stdout);
  _exit(1);
}

/* A register of a round with damage: now and then anything. */
static uint64_t maybe(uint64_t value, int is_damaged) {
  if (!is_damaged || chance() % 16) return value;
  return chance() % 2 ? chance() : value + chance() % 4096 - 2048;
}

/* What the debugger knows, as docs/ompd.md has it. */
static char *seen(int is_damaged) {
  enum { SIZE = 1 << 21 };
  /* user_regs_struct: r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs
   * eflags rsp ss fs_base */
  static const int SAVED_AT[] = {5, 4, 3, 2, 1, 0}, CALL_AT[] = {10, 15, 14, 13, 12, 7, 9, 8};
  char *text = malloc(SIZE), *at = text, *end = text + SIZE - 8;
  int lwps[256], count = target_threads(lwps, 256);
  at += snprintf(at, end - at, "{\"pid\":null,\"maps\":\"");
  for (const char *from = target_maps(); *from && at < end - 16; from++)
    at += snprintf(at, end - at, *from == '\n' ? "\\n" : *from == '"' ? "\\\"" : "%c", *from);
  at += snprintf(at, end - at, "\",\"threads\":[");
  for (int i = 0; i < count && at < end - 2048; i++) {
    uint64_t all[27];
    int lwp = (int)maybe(lwps[i], is_damaged) & 0x7fffffff;
    at += snprintf(at, end - at, "%s{\"lwp\":%d,\"name\":\"a\\u001b[31m\"", i ? "," : "", lwp);
    if (!target_registers(lwps[i], all) && (!is_damaged || chance() % 32)) {
      at += snprintf(at, end - at, ",\"registers\":{\"rip\":%lu,\"rsp\":%lu,\"fs_base\":%lu,",
                     maybe(all[16], is_damaged), maybe(all[19], is_damaged),
                     maybe(all[21], is_damaged));
      for (int k = 0; k < 6; k++)
        at += snprintf(at, end - at, "%s%lu", k ? "," : "\"saved\":[",
                       maybe(all[SAVED_AT[k]], is_damaged));
      for (int k = 0; k < 8; k++)
        at += snprintf(at, end - at, "%s%lu", k ? "," : "],\"call\":[",
                       maybe(all[CALL_AT[k]], is_damaged));
      at += snprintf(at, end - at, "]}");
    }
    at += snprintf(at, end - at, "}");
  }
  snprintf(at, end - at, "]}");
  return text;
}

/* Changes a few bytes of a text, or cuts it. */
static void garble(char *text) {
  size_t length = strlen(text);
  if (chance() % 4 == 0) text[chance() % (length + 1)] = 0;
  for (int i = chance() % 8; i > 0 && *text; i--) {
    char *at = text + chance() % strlen(text);
    *at = chance() % 2 ? "0123456789-,:[]{}\""[chance() % 18] : (char)(1 + chance() % 255);
  }
}

static long opened, answered;
/* `early`: what describes the runtime's state is damaged too, so that often nothing is opened. */
static void look(char *round_seen, int is_garbled, unsigned one_in, uint64_t seed, int early) {
  target_damage(seed, early ? one_in : 0);
  OK(p_ompd_initialize(201811, &callbacks));
  if (p_ompd_process_initialize((void *)&context, &space) == ompd_rc_ok) {
    target_damage(seed, one_in);
    opened++;
    char *snapshot = p_snapshot(space);
    if (snapshot && is_garbled) garble(chance() % 2 ? snapshot : round_seen);
    char *filled = p_look(space, snapshot, round_seen);
    char *why = p_why(filled ? filled : snapshot, chance() % 2 ? snapshot : NULL);
    answered += filled && why;
    if (round_now == 0) printf("%s\n", why ? why : "none");
    p_free(snapshot);
    p_free(filled);
    p_free(why);
    OK(p_ompd_rel_address_space_handle(space));
  }
  OK(p_ompd_finalize());
}

void looks(long count, long seed) {
  static const unsigned ONE_IN[] = {20, 100, 500, 2000, 10000, 0};
  struct rlimit limit = {(rlim_t)2 << 30, (rlim_t)2 << 30};
  setrlimit(RLIMIT_AS, &limit);
  signal(SIGALRM, too_long);
  for (round_now = 0; round_now <= count; round_now++) {
    uint64_t here = (uint64_t)seed + round_now;
    word_of_chance = (here + 1) * 0x9e3779b97f4a7c15u;
    int is_damaged = round_now > 0;
    alarm(60);
    target_damage(0, 0);
    char *round_seen = seen(is_damaged);
    unsigned one_in = is_damaged ? ONE_IN[chance() % 6] : 0;
    int is_garbled = is_damaged && chance() % 4 == 0;
    look(round_seen, is_garbled, one_in, here, chance() % 4 == 0);
    free(round_seen);
  }
  alarm(0);
  printf("%ld looks, %ld opened, %ld answered, %ld pieces of memory left\n", count, opened,
         answered, allocated);
}
