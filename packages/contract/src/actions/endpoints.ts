import type { AreaEndpoints } from '../rows/area-rows.ts';
import { accessEndpoints } from './access.ts';
import { actionEndpoints } from './actions.ts';
import { approvalStepEndpoints } from './approval-steps.ts';
import { approvalEndpoints } from './approvals.ts';
import { approvalOfAgentEndpoints } from './approvals-of-agents.ts';
import { proxiedRequestEndpoints } from './proxied-requests.ts';
import { actionSummaryEndpoints } from './summary.ts';

export const ACTIONS = {
  ...actionEndpoints,
  ...actionSummaryEndpoints,
  ...accessEndpoints,
  ...proxiedRequestEndpoints,
  ...approvalEndpoints,
  ...approvalStepEndpoints,
  ...approvalOfAgentEndpoints,
} as const satisfies AreaEndpoints<'actions'>;
