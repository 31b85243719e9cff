/* A task may name an address several times, with different kinds of dependences: each of them
 * orders it. Random tasks, deferred and not, against what the text says of each pair of them
 * (OpenMP 5.2, section 15.9.5). */
#include "check.h"
#include <stdint.h>
#include <unistd.h>

enum { SEEDS = 20, TASKS = 30, ADDRESSES = 3, MOST = 4 };
/* gcc 12 knows neither the last kind nor omp_all_memory. */
enum kind { IN, INOUT, MUTEX, SET, KINDS };
#ifdef __clang__
enum { KNOWN = KINDS };
#else
enum { KNOWN = SET };
#endif

struct task {
    int count, all, length;
    struct {
        int address;
        enum kind kind;
    } names[MOST];
    long began, ended;
    /* The addresses by kind, as its clauses name them. */
    int counts[KINDS];
    char *of[KINDS][MOST];
};

static char cells[ADDRESSES];
static long now;
static uint64_t state;

static int below(int n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)((state >> 33) % (unsigned)n);
}

static void body(struct task *task)
{
    task->began = __atomic_add_fetch(&now, 1, __ATOMIC_SEQ_CST);
    if (task->length)
        usleep(task->length);
    task->ended = __atomic_add_fetch(&now, 1, __ATOMIC_SEQ_CST);
}

static void invent(struct task *task)
{
    memset(task, 0, sizeof *task);
    task->count = 1 + below(MOST);
    task->length = below(4) ? 0 : 50;
    task->all = KNOWN == KINDS && below(15) == 0;
    for (int i = 0; i < task->count; i++) {
        int address = task->names[i].address = below(ADDRESSES);
        enum kind kind = task->names[i].kind = (enum kind)below(KNOWN);
        task->of[kind][task->counts[kind]++] = &cells[address];
    }
}

/* Whether the two are in order, and whether they exclude each other. */
static void relate(const struct task *first, const struct task *second, int *ordered, int *excluded)
{
    *ordered = first->all || second->all;
    *excluded = 0;
    for (int a = 0; a < first->count; a++)
        for (int b = 0; b < second->count; b++) {
            if (first->names[a].address != second->names[b].address)
                continue;
            enum kind kind = first->names[a].kind;
            if (kind != second->names[b].kind || kind == INOUT)
                *ordered = 1;
            else if (kind == MUTEX)
                *excluded = 1;
        }
}

#define ALL_OF(kind, name) depend(iterator(i = 0 : task->counts[kind]), name : *task->of[kind][i])

#define MAKE(...) \
    do { \
        _Pragma(__VA_ARGS__) \
        body(task); \
    } while (0)
#define TEXT_(...) #__VA_ARGS__
#define TEXT(...) TEXT_(__VA_ARGS__)
#ifdef __clang__
#define SETS ALL_OF(SET, inoutset)
#else
#define SETS
#endif

static void make(struct task *task)
{
    omp_depend_t object;
    char *named = &cells[task->names[0].address];
    int way = below(8);
    if (way >= 6) {
        /* Its first name by an object. */
#pragma omp depobj(object) depend(in : *named)
        if (task->names[0].kind == INOUT) {
#pragma omp depobj(object) update(inout)
        }
        if (task->names[0].kind == MUTEX) {
#pragma omp depobj(object) update(mutexinoutset)
        }
#ifdef __clang__
        if (task->names[0].kind == SET) {
#pragma omp depobj(object) update(inoutset)
        }
#endif
    }
#ifdef __clang__
    if (task->all) {
        MAKE(TEXT(omp task firstprivate(task) ALL_OF(MUTEX, mutexinoutset) ALL_OF(IN, in)
                      depend(out : omp_all_memory)));
        return;
    }
#endif
    switch (way) {
    case 0:
        MAKE(TEXT(omp task firstprivate(task) ALL_OF(IN, in) ALL_OF(INOUT, inout)
                      ALL_OF(MUTEX, mutexinoutset) SETS));
        break;
    case 1:
        MAKE(TEXT(omp task firstprivate(task) SETS ALL_OF(MUTEX, mutexinoutset) ALL_OF(INOUT, out)
                      ALL_OF(IN, in)));
        break;
    case 2:
        MAKE(TEXT(omp task firstprivate(task) ALL_OF(MUTEX, mutexinoutset) ALL_OF(IN, in)
                      SETS ALL_OF(INOUT, inout)));
        break;
    case 3:
        MAKE(TEXT(omp task firstprivate(task) SETS ALL_OF(IN, in) ALL_OF(INOUT, inout)
                      ALL_OF(MUTEX, mutexinoutset)));
        break;
    case 4:
        MAKE(TEXT(omp task firstprivate(task) if(below(3)) SETS ALL_OF(IN, in) ALL_OF(INOUT, inout)
                      ALL_OF(MUTEX, mutexinoutset)));
        break;
    case 5:
        MAKE(TEXT(omp task firstprivate(task) ALL_OF(INOUT, inout) SETS ALL_OF(MUTEX, mutexinoutset)
                      ALL_OF(IN, in)));
        break;
    case 6:
        MAKE(TEXT(omp task firstprivate(task) depend(depobj : object) ALL_OF(IN, in)
                      ALL_OF(INOUT, inout) ALL_OF(MUTEX, mutexinoutset) SETS));
        break;
    default:
        MAKE(TEXT(omp task firstprivate(task) SETS ALL_OF(MUTEX, mutexinoutset) ALL_OF(INOUT, inout)
                      ALL_OF(IN, in) depend(depobj : object)));
    }
    if (way >= 6) {
#if !defined(__clang__) || __clang_major__ < 20
        /* Newer ones know no form of it. */
#pragma omp depobj(object) destroy
#endif
    }
}

int main(void)
{
    static struct task tasks[TASKS];
    for (int seed = 0; seed < SEEDS; seed++) {
        state = 0x9e3779b97f4a7c15u * (unsigned)(seed + 1);
#pragma omp parallel
#pragma omp single
        for (int i = 0; i < TASKS; i++) {
            invent(&tasks[i]);
            make(&tasks[i]);
        }
        for (int first = 0; first < TASKS; first++)
            for (int second = first + 1; second < TASKS; second++) {
                int ordered, excluded;
                const struct task *a = &tasks[first], *b = &tasks[second];
                relate(a, b, &ordered, &excluded);
                if (ordered)
                    CHECK(a->ended < b->began);
                else if (excluded)
                    CHECK(a->ended < b->began || b->ended < a->began);
            }
    }
    return check_done();
}
