import type { OperationResult } from '@svc/client/client-types.ts';

/** One delegation as the graph has it. */
export type Edge = OperationResult<'getDelegationGraph'>['edges'][number];
