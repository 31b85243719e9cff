/* One process, two compilers' OpenMP: argv[1] names a library built by the other compiler.
 * There must be one runtime and one pool of threads. */
#include "../conformance/check.h"
#include <dirent.h>
#include <dlfcn.h>

static int tasks(void)
{
    int count = 0;
    DIR *directory = opendir("/proc/self/task");
    for (struct dirent *e; directory && (e = readdir(directory));)
        count += e->d_name[0] != '.';
    if (directory)
        closedir(directory);
    return count;
}

/* How many files whose name holds `name` are mapped for execution. */
static int mapped(const char *name)
{
    int count = 0;
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        char *file = strrchr(line, '/');
        count += file && strstr(file, name) && strstr(line, " r-xp ");
    }
    if (maps)
        fclose(maps);
    return count;
}

int main(int argc, char **argv)
{
    int here = 0;
#pragma omp parallel num_threads(4) reduction(+ : here)
    here += 1;
    CHECK_EQ(here, 4);
    CHECK_EQ(tasks(), 4);

    void *library = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int (*region)(int) = (int (*)(int))dlsym(library, "library_region");
    int (*most)(void) = (int (*)(void))dlsym(library, "library_max_threads");
    CHECK_EQ(region(4), 4);
    CHECK_EQ(tasks(), 4);

    /* ICVs are one set. */
    omp_set_num_threads(3);
    CHECK_EQ(most(), 3);

    /* A region of the library inside a region of the program is a nested region. */
    omp_set_max_active_levels(1);
    int inner = 0;
#pragma omp parallel num_threads(2) reduction(+ : inner)
    inner += region(4);
    CHECK_EQ(inner, 2);

    CHECK_EQ(mapped("libomphalos"), 1);
    CHECK_EQ(mapped("libgomp"), 0);
    CHECK_EQ(mapped("libomp-"), 0);
    CHECK_EQ(mapped("libomp.so"), 0);
    return check_done();
}
