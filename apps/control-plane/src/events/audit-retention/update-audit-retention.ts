import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { updateAuditRetention as update } from '@svc/operations/events/audit-retention/update-audit-retention.ts';
import type { EventsDeps } from '../deps.ts';

const PART = 'The audit log belongs to the whole organization, and your access is limited to a part of it. Ask a user with full access.';

export const updateAuditRetention: Handler<Endpoints['updateAuditRetention'], EventsDeps> = async (call) => {
  const { scope } = call;
  if (scope.workspace_ids || scope.environment_id) return call.refuse('PERMISSION_DENIED', PART);
  return call.change((change) => update(change, { ...asActing(call), body: call.body }));
};
