// Regions before main and after it: in the constructor and the destructor of a global object.
#include "../conformance/check.h"

static int team()
{
    int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    sum += 1;
    return sum;
}

struct Global {
    int before;
    Global() : before(team()) {}
    ~Global()
    {
        int after = team();
        puts(before == 3 && after == 3 && !check_failures ? "ok" : "wrong");
    }
};
static Global global;

int main()
{
    CHECK_EQ(global.before, 3);
    CHECK_EQ(team(), 3);
    return check_failures != 0;
}
