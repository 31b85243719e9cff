/*
 * Registering, with what ompt_set_callback answers noted. The including tool has the generation's
 * types, and `NEVER_OCCURS`, its word for an event that the runtime does not have; lower answers
 * mean that the callback cannot be registered.
 */
#ifndef REGISTER_H
#define REGISTER_H

static int unsupported, failed;

static void set(int event, void *callback)
{
  int answer = ompt_set_callback((ompt_event_t)event, (ompt_callback_t)callback);
  if (answer < NEVER_OCCURS) failed++;
  if (answer == NEVER_OCCURS) unsupported++;
}
#define SET(event, callback) set(ompt_event_##event, (void *)callback)
#define BOTH(event, callback) SET(event##_begin, callback##_begin); SET(event##_end, callback##_end)

#endif
