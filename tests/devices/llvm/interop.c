// Objects of interop constructs: one of a device says which, the host has none.
// @says: made right, after 7, gone 1
#include <omp.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  int device = omp_get_num_devices() - 1, a = 1, right = 1;
  omp_interop_t object = omp_interop_none;
#pragma omp task depend(out : a) shared(a)
  a = 7;
#pragma omp interop init(targetsync : object) device(device < 0 ? 0 : device) depend(inout : a)
  int after = a, code = 5;
  int number = (int)omp_get_interop_int(object, omp_ipr_device_num, &code);
  if (device >= 0) {
    right &= object != omp_interop_none && code == omp_irc_success && number == device;
    const char *vendor = omp_get_interop_str(object, omp_ipr_vendor_name, &code);
    right &= code == omp_irc_success && !strcmp(vendor, "omphalos");
    omp_get_interop_int(object, omp_ipr_vendor_name, &code);
    right &= code == omp_irc_type_str;
    omp_get_interop_ptr(object, omp_ipr_targetsync, &code);
    right &= code == omp_irc_no_value;
  } else {
    right &= object == omp_interop_none && code == omp_irc_empty;
  }
  omp_get_interop_int(object, (omp_interop_property_t)-20, &code);
  right &= code == omp_irc_out_of_range;
#pragma omp interop use(object)
#pragma omp interop destroy(object)
  printf("made %s, after %d, gone %d\n", right ? "right" : "wrong", after,
         object == omp_interop_none);
  return 0;
}
