/* As plain_reduction.c, combined by the tree: a thread that waits there for the part of another one begins no task.
 * @env: KMP_FORCE_REDUCTION=tree
 * @distrust: clang — LLVM's runtime executes tasks where it combines by its tree */
#include "plain_reduction.c"
