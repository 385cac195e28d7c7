/**
 * What the stages of a request were that passed them all. Records name a list by its place here, so what stands here stays as it is:
 * a pipeline of other stages gets a list of its own, after these.
 */
export const STAGE_LISTS: readonly (readonly string[])[] = [
  ['identity', 'environment', 'agent', 'tool', 'request', 'destination', 'authority', 'currency', 'policy', 'obligations', 'approval'],
  [
    ...['identity', 'environment', 'agent', 'tool', 'request', 'destination'],
    ...['authority', 'currency', 'policy', 'obligations', 'approval', 'credential'],
  ],
  [
    ...['identity', 'environment', 'agent', 'tool', 'request', 'destination', 'authority', 'currency', 'risk'],
    ...['policy', 'obligations', 'approval', 'credential'],
  ],
  [
    ...['identity', 'environment', 'agent', 'tool', 'request', 'destination', 'authority', 'trust', 'currency', 'risk'],
    ...['policy', 'obligations', 'approval', 'credential'],
  ],
];
