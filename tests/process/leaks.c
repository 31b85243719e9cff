/* One of everything that the runtime keeps memory for; a leak detector looks at the end, while
 * threads still wait. Whatever is larger than at first (teams, queues, trees) has been replaced by
 * then. */
#include "../conformance/check.h"
#include <pthread.h>

static void *other(void *unused)
{
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp task
    (void)unused;
    return unused;
}

int main(void)
{
    int members = 0, data[4] = {0};
    omp_set_max_active_levels(3);
    for (int size = 2; size <= 20; size += 9) {
#pragma omp parallel num_threads(size) reduction(+ : members)
        members++;
    }
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
    CHECK_EQ(omp_get_level(), 3);
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        for (int i = 0; i < 1000; i++) {
#pragma omp task firstprivate(data)
            CHECK_EQ(data[i % 4], 0);
        }
#pragma omp single
#pragma omp taskgroup
        for (int i = 0; i < 100; i++) {
#pragma omp task depend(inout : data[i % 4])
            data[i % 4] = 0;
#pragma omp task priority(i % 3)
            (void)i;
        }
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 2000; i++)
            (void)i;
        for (int i = 0; i < 200; i++) {
#pragma omp for schedule(guided) ordered nowait
            for (int j = 0; j < 4; j++) {
#pragma omp ordered
                (void)j;
            }
        }
    }
#pragma omp teams num_teams(3)
#pragma omp parallel num_threads(2)
    CHECK(omp_get_num_teams() >= 1);
#pragma omp target nowait
    members += 0;
#pragma omp taskwait
    void *memory = omp_alloc(1000, omp_get_default_allocator());
    omp_free(memory, omp_get_default_allocator());
    omp_lock_t lock;
    omp_init_lock(&lock);
    omp_destroy_lock(&lock);
    omp_nest_lock_t nested;
    omp_init_nest_lock(&nested);
    for (int i = 0; i < 600000; i++)
        omp_set_nest_lock(&nested);
    for (int i = 0; i < 600000; i++)
        omp_unset_nest_lock(&nested);
    omp_destroy_nest_lock(&nested);
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        CHECK_EQ(pthread_create(&thread, 0, other, 0), 0);
        CHECK_EQ(pthread_join(thread, 0), 0);
    }
    CHECK(members > 0);
    return check_done();
}
