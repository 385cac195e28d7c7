import type { RowsOf } from '../rows/rows-of.ts';
import { actionEndpoints } from './actions.ts';
import { approvalEndpoints } from './approvals.ts';

export const ACTIONS = { ...actionEndpoints, ...approvalEndpoints } as const satisfies RowsOf<'actions'>;
