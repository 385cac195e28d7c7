import type { Tool } from '@svc/contract/tools/tools.ts';
import { cancelApprovalsOfPlace } from '@svc/operations/tenancy/environments/cancel-approvals-of-place.ts';
import type { Change } from '@svc/postgres/change/change.ts';

type Changing = {
  readonly scope: { readonly organization_id: string };
  readonly now: Date;
  readonly change: (work: (change: Change<'approval.cancelled'>) => Promise<boolean>) => Promise<unknown>;
};

/** Withdraws pending and approved requests under a replaced declaration; a batch at a time. */
export const withdrawApprovals = async ({ scope, now, change }: Changing, tool: Tool, reason: string): Promise<void> => {
  const place = { column: 'environment_id', id: tool.environment_id, toolId: tool.id } as const;
  const closing = { organizationId: scope.organization_id, place, reason, now, code: 'APPROVAL_NOT_GRANTED' } as const;
  while ((await change((each) => cancelApprovalsOfPlace(each, closing))) === true);
};
