import type { ResultOf } from '@svc/client/client-types.ts';

export type Tool = ResultOf<'getTool'>;
