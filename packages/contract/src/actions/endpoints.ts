import type { RowsOf } from '../rows/rows-of.ts';
import { accessEndpoints } from './access.ts';
import { actionEndpoints } from './actions.ts';
import { approvalStepEndpoints } from './approval-steps.ts';
import { approvalEndpoints } from './approvals.ts';
import { approvalOfAgentEndpoints } from './approvals-of-agents.ts';
import { actionSummaryEndpoints } from './summary.ts';

export const ACTIONS = {
  ...actionEndpoints,
  ...actionSummaryEndpoints,
  ...accessEndpoints,
  ...approvalEndpoints,
  ...approvalStepEndpoints,
  ...approvalOfAgentEndpoints,
} as const satisfies RowsOf<'actions'>;
