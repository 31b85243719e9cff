/* A target task that a worker makes while its team's primary thread is still calling the others: a
 * hidden helper executes it in a team that stands for that one, whose primary thread may have no
 * task in it yet. Each team is a new one: of a thread of its own, which lives on. */
/* @threads: 4 */
/* @compilers: clang — helpers are LLVM's */
/* @distrust: clang — libomp 19 ends by an assertion of its own where several threads make them */
#include "check.h"
#include "kmpc_task.h"
#include <omp.h>
#include <pthread.h>

struct task {
    TASK_HEAD
};

enum { TEAMS = 12, SIZE = 24 };

static int done, wrong;
static pthread_barrier_t all;

static int body(int gtid, struct task *task)
{
    (void)task;
    int bad = gtid != __kmpc_global_thread_num(NULL) || omp_get_max_threads() != SIZE;
#pragma omp atomic
    done++;
#pragma omp atomic
    wrong += bad;
    return 0;
}

static void *root(void *unused)
{
    (void)unused;
    omp_set_num_threads(SIZE);
#pragma omp parallel
    {
        int gtid = __kmpc_global_thread_num(NULL);
        __kmpc_omp_task(NULL, gtid, __kmpc_omp_target_task_alloc(NULL, gtid, 1, sizeof(struct task),
                                                                 0, body, -1));
    }
    pthread_barrier_wait(&all);
    return NULL;
}

int main(void)
{
    pthread_t roots[TEAMS];
    pthread_barrier_init(&all, NULL, TEAMS + 1);
    for (int i = 0; i < TEAMS; i++)
        pthread_create(&roots[i], NULL, root, NULL);
    pthread_barrier_wait(&all);
    for (int i = 0; i < TEAMS; i++)
        pthread_join(roots[i], NULL);
    CHECK_EQ(done, TEAMS * SIZE);
    CHECK_EQ(wrong, 0);
    return check_done();
}
