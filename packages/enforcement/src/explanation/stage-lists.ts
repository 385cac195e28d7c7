/**
 * Stage names of a request that passed all of them. Records refer to a list by index, so lists never change: a pipeline of other stages
 * appends a list.
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
