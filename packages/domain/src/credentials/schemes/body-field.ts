import { acceptEverything, nothingAround, type Scheme } from './scheme.ts';

/** A member of the JSON body or a field of the form. */
export const bodyField: Scheme = {
  needs: ['field'],
  allows: [],
  faults: acceptEverything,
  slot: ({ field = '' }) => ({ in: 'BODY_FIELD', name: field }),
  around: nothingAround,
};
