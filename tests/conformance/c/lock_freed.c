/* Who gives an object's lock back may not touch it any more: the next holder gives the memory
 * away. */
#define _GNU_SOURCE
#include "check.h"
#include <sys/mman.h>

enum { OBJECTS = 500 };

struct object {
    omp_lock_t lock;
    int users;
};

int main(void)
{
    int n = check_threads();
    static struct object *objects[OBJECTS];
    static int gone[OBJECTS];
    for (int i = 0; i < OBJECTS; i++) {
        /* A page of its own, so that a late access is a crash. */
        objects[i] =
            mmap(0, sizeof *objects[i], PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        omp_init_lock(&objects[i]->lock);
        objects[i]->users = n;
    }
#pragma omp parallel num_threads(n)
    for (int i = 0; i < OBJECTS; i++) {
        omp_set_lock(&objects[i]->lock);
        int last = --objects[i]->users == 0;
        omp_unset_lock(&objects[i]->lock);
        if (last) {
            omp_destroy_lock(&objects[i]->lock);
            gone[i]++;
            munmap(objects[i], sizeof *objects[i]);
        }
    }
    for (int i = 0; i < OBJECTS; i++)
        CHECK_EQ(gone[i], 1);
    return check_done();
}
