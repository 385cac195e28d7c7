import { noFaults, nothingAround, type Scheme } from './scheme.ts';

/** A parameter of the query. */
export const query: Scheme = {
  needs: ['parameter'],
  allows: [],
  faults: noFaults,
  slot: ({ parameter = '' }) => ({ in: 'QUERY', name: parameter }),
  around: nothingAround,
};
