/* As plain_reduction.c, but threads combine their parts by a tree: a thread that waits for
 * another's part begins no task meanwhile.
 * @env: KMP_FORCE_REDUCTION=tree
 * @distrust: clang — LLVM's runtime executes tasks where it combines by its tree */
#include "plain_reduction.c"
