/* omp_capture_affinity with a format of its own. */
#include "check.h"

int main(void)
{
    char text[128], format[64];
    int n = check_threads();
    omp_set_affinity_format("level %L of %N");
    CHECK_EQ(omp_get_affinity_format(format, sizeof format), strlen("level %L of %N"));
    CHECK_EQ(strcmp(format, "level %L of %N"), 0);
#pragma omp parallel private(text)
    {
        char want[128];
        size_t length = omp_capture_affinity(text, sizeof text, "t=%n/%{num_threads} l=%0.3L");
        snprintf(want, sizeof want, "t=%d/%d l=001", omp_get_thread_num(), n);
        CHECK_EQ(length, strlen(want));
        CHECK_EQ(strcmp(text, want), 0);
        char cut[4] = "???";
        CHECK_EQ(omp_capture_affinity(cut, sizeof cut, "abcdefgh"), 8);
        CHECK_EQ(strcmp(cut, "abc"), 0);
    }
    omp_capture_affinity(text, sizeof text, NULL);
    CHECK_EQ(strcmp(text, "level 0 of 1"), 0);
    return check_done();
}
