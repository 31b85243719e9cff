/* A process forks while another thread holds the loader's lock on its list of files. In the child
 * nobody gives it back. Constructs on devices do without: they know the variables that the parent
 * knew. A child that finds the lock free sees the variables of a library that it loads, too. */
#define _GNU_SOURCE
#include "../conformance/check.h"
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma omp declare target
#ifdef LIBRARY
int of_library;
#else
int of_program;
#endif
#pragma omp end declare target

#ifdef LIBRARY
/* On the device, the variable is the host's own: it need not be mapped. */
int use(void)
{
    int on_device = 0;
#pragma omp target map(tofrom : on_device)
    {
        on_device = !omp_is_initial_device();
        of_library = 3;
    }
#pragma omp target update from(of_library)
    return on_device && of_library == 3 && omp_target_is_present(&of_library, 0);
}
#else
static int inside, forked;

static void wait_for(int *flag)
{
    while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
        usleep(100);
}

static int stay(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)info, (void)size, (void)unused;
    __atomic_store_n(&inside, 1, __ATOMIC_RELEASE);
    wait_for(&forked);
    return 1;
}

static void *walk(void *unused)
{
    dl_iterate_phdr(stay, NULL);
    return unused;
}

static void *stand(void *unused)
{
    __atomic_store_n(&inside, 1, __ATOMIC_RELEASE);
    wait_for(&forked);
    return unused;
}

static void construct(void)
{
    int on_device = 0;
#pragma omp target map(tofrom : on_device)
    {
        on_device = !omp_is_initial_device();
        of_program++;
    }
    CHECK_EQ(on_device, 1);
    CHECK(omp_target_is_present(&of_program, 0));
}

/* Forks beside a thread that does this. */
static void forks(void *(*other)(void *), const char *library)
{
    pthread_t thread;
    int status = -1;
    __atomic_store_n(&inside, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&forked, 0, __ATOMIC_RELEASE);
    CHECK_EQ(pthread_create(&thread, NULL, other, NULL), 0);
    wait_for(&inside);
    pid_t child = fork();
    if (child == 0) {
        alarm(50);
        for (int i = 0; i < 20; i++)
            construct();
        if (library) {
            void *loaded = dlopen(library, RTLD_NOW);
            CHECK(loaded != NULL);
            int (*use)(void) = (int (*)(void))dlsym(loaded, "use");
            CHECK_EQ(use(), 1);
        }
        _exit(check_failures != 0);
    }
    __atomic_store_n(&forked, 1, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

int main(int count, char **arguments)
{
    CHECK_EQ(count, 2);
    construct();
    forks(walk, NULL);
    forks(stand, arguments[1]);
    construct();
    return check_done();
}
#endif
