import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { keepFor, lockRetention } from '@svc/postgres/audit/retention/audit-retention.ts';
import type { ControlDeps } from '../../deps.ts';
import { toldRetention } from './told/told-retention.ts';

const PART = 'The audit log belongs to the whole organization, and your access is limited to a part of it. Ask a user with full access.';

/** Applied by a job, seven days later, so that whoever notices a change that nobody wanted can take it back. */
export const updateAuditRetention: Handler<Endpoints['updateAuditRetention'], ControlDeps> = async (call) => {
  const { scope, body } = call;
  const { organization_id: id } = scope;
  if (scope.workspace_ids || scope.environment_id) return call.refuse('PERMISSION_DENIED', PART);
  return call.change(async ({ tx, emit }) => {
    const before = await lockRetention(tx, id);
    if (before.keep_days === body.keep_days) return toldRetention(before);
    const after = await keepFor(tx, id, body.keep_days);
    const data = { before: { keep_days: before.keep_days }, after: { keep_days: after.keep_days }, reason: body.reason };
    emit('audit.retention_updated', { ...about.organization({ id }), data });
    return toldRetention(after);
  });
};
