import { acceptEverything, nothingAround, type Scheme } from './scheme.ts';

/** A parameter of the query. */
export const query: Scheme = {
  needs: ['parameter'],
  allows: [],
  faults: acceptEverything,
  slot: ({ parameter = '' }) => ({ in: 'QUERY', name: parameter }),
  around: nothingAround,
};
