// private, firstprivate and lastprivate objects: constructed, copied, assigned and destroyed
// evenly.
#include "check.h"

static int made, copied, assigned, destroyed;

struct Counted {
    int value;
    Counted() : value(-1)
    {
#pragma omp atomic
        made++;
    }
    Counted(const Counted &other) : value(other.value)
    {
#pragma omp atomic
        copied++;
    }
    Counted &operator=(const Counted &other)
    {
        value = other.value;
#pragma omp atomic
        assigned++;
        return *this;
    }
    ~Counted()
    {
#pragma omp atomic
        destroyed++;
    }
};

int main()
{
    int n = check_threads();
    {
        Counted fresh, given, last;
        given.value = 7;
#pragma omp parallel private(fresh) firstprivate(given)
        {
            CHECK_EQ(fresh.value, -1);
            CHECK_EQ(given.value, 7);
            given.value = omp_get_thread_num();
#pragma omp for lastprivate(last)
            for (int i = 0; i < 50; i++)
                last.value = i;
        }
        CHECK_EQ(given.value, 7);
        CHECK_EQ(last.value, 49);
        CHECK_EQ(copied, n);
        CHECK_EQ(made, 3 + 2 * n);
        CHECK_EQ(assigned, 1);
    }
    CHECK_EQ(destroyed, made + copied);
    return check_done();
}
