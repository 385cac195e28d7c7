import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { archiveEnvironment as archive } from '@svc/operations/tenancy/environments/archive-environment.ts';
import { cancelApprovalsOfPlace } from '@svc/operations/tenancy/environments/cancel-approvals-of-place.ts';
import type { TenancyDeps } from '../deps.ts';

export const archiveEnvironment: Handler<Endpoints['archiveEnvironment'], TenancyDeps> = async (call) => {
  const { scope, now } = call;
  const { organization_id: organizationId } = scope;
  const { reason } = call.body;
  const archived = await call.change((change) =>
    archive(change, { ...asActing(call), environmentId: call.params.environmentId, body: call.body }),
  );
  if (isRefusal(archived)) return archived;
  const place = { column: 'environment_id', id: archived.id } as const;
  while (await call.change((change) => cancelApprovalsOfPlace(change, { organizationId, place, reason, now })));
  return archived;
};
