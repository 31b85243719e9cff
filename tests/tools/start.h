/* How a tool is found: START_TOOL defines the function that the runtime looks for, after the tool's
 * own two. */
#ifndef START_H
#define START_H
#include <omp-tools.h>

#define START_TOOL(initialize, finalize) \
    ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) \
    { \
        static ompt_start_tool_result_t result = {initialize, finalize, {0}}; \
        (void)version, (void)runtime; \
        return &result; \
    }

#endif
