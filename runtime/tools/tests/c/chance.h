/* Numbers by chance, the same in each run: FUZZ_SEED is another seed, a positive number,
 * FUZZ_ROUNDS how many rounds instead of a million. */
#ifndef CHANCE_H
#define CHANCE_H
#include <stdint.h>
#include <stdlib.h>

static uint64_t seed;

/* Begins with the seed `usual`; how many rounds to go. */
static long fuzz_rounds(uint64_t usual)
{
  const char *said = getenv("FUZZ_SEED");
  seed = said && atoll(said) > 0 ? (uint64_t)atoll(said) : usual;
  said = getenv("FUZZ_ROUNDS");
  return said ? atol(said) : 1000000;
}

static uint32_t chance(void)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed >> 16;
}

#endif
