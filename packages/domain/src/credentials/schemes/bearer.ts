import { acceptEverything, type Scheme } from './scheme.ts';

/** `Authorization: Bearer <secret>` (RFC 6750). */
export const bearer: Scheme = {
  needs: [],
  allows: [],
  faults: acceptEverything,
  slot: () => ({ in: 'HEADER', name: 'authorization' }),
  around: () => ['Bearer ', ''],
};
