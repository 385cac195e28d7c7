import type { ResultOf } from '@svc/client/client-types.ts';

/** One delegation as the graph has it. */
export type Edge = ResultOf<'getDelegationGraph'>['edges'][number];
