/* A seeded mixture of everything, from several threads of the program at once: regions of changing
 * sizes, nested ones, loops, locks, tasks, singles. argv[1] is the number of rounds. */
#include "../conformance/check.h"
#include <pthread.h>

static omp_lock_t lock;
static long guarded, expected;

static unsigned next(unsigned *state)
{
    return *state = *state * 1664525u + 1013904223u, *state >> 16;
}

static long tree(int depth)
{
    long left = 0, right = 0;
    if (depth == 0)
        return 1;
#pragma omp task shared(left)
    left = tree(depth - 1);
#pragma omp task shared(right)
    right = tree(depth - 1);
#pragma omp taskwait
    return left + right;
}

static void round_of(unsigned *state)
{
    int size = 1 + (int)(next(state) % 8), kind = (int)(next(state) % 6),
        n = 1 + (int)(next(state) % 200);
    long sum = 0, want = (long)n * (n - 1) / 2;
    switch (kind) {
    case 0:
#pragma omp parallel for num_threads(size) schedule(dynamic) reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += i;
        CHECK_EQ(sum, want);
        break;
    case 1:
#pragma omp parallel num_threads(size) reduction(+ : sum)
        {
#pragma omp for schedule(guided) nowait
            for (int i = 0; i < n; i++)
                sum += i;
#pragma omp barrier
#pragma omp for schedule(static, 3)
            for (int i = 0; i < n; i++)
                sum += i;
        }
        CHECK_EQ(sum, 2 * want);
        break;
    case 2:
#pragma omp parallel num_threads(size)
        {
            omp_set_lock(&lock);
            guarded++;
            omp_unset_lock(&lock);
        }
#pragma omp atomic
        expected += size;
        break;
    case 3:
#pragma omp parallel num_threads(size)
#pragma omp single
        sum = tree(6);
        CHECK_EQ(sum, 64);
        break;
    case 4:
#pragma omp parallel num_threads(2) reduction(+ : sum)
        {
            long mine = 0;
#pragma omp parallel for num_threads(size % 3 + 1) reduction(+ : mine)
            for (int i = 0; i < n; i++)
                mine += i;
            sum += mine;
        }
        CHECK_EQ(sum, 2 * want);
        break;
    default: {
        int last = -1;
#pragma omp parallel num_threads(size)
        {
            int got;
#pragma omp single copyprivate(got)
            got = n;
            CHECK_EQ(got, n);
#pragma omp for ordered schedule(dynamic)
            for (int i = 0; i < n % 40; i++) {
#pragma omp ordered
                {
                    CHECK_EQ(i, last + 1);
                    last = i;
                }
            }
        }
    }
    }
}

static void *root(void *argument)
{
    unsigned state = (unsigned)(long)argument;
    long rounds = (long)argument >> 32;
    for (long r = 0; r < rounds; r++)
        round_of(&state);
    return 0;
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 200;
    pthread_t threads[3];
    omp_init_lock(&lock);
    omp_set_dynamic(0);
    omp_set_max_active_levels(2);
    for (long t = 0; t < 3; t++)
        CHECK_EQ(pthread_create(&threads[t], 0, root, (void *)(rounds << 32 | (t * 7919 + 1))), 0);
    root((void *)(rounds << 32 | 42));
    for (int t = 0; t < 3; t++)
        pthread_join(threads[t], 0);
    CHECK_EQ(guarded, expected);
    return check_done();
}
