/* As reduction_user.c, combined by the tree. */
/* @env: KMP_FORCE_REDUCTION=tree */
#include "reduction_user.c"
