import { noFaults, type Scheme } from './scheme.ts';

/** `Authorization: Bearer <secret>` (RFC 6750). */
export const bearer: Scheme = {
  needs: [],
  allows: [],
  faults: noFaults,
  slot: () => ({ in: 'HEADER', name: 'authorization' }),
  around: () => ['Bearer ', ''],
};
