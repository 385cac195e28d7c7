import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { recordVerification } from '@svc/operations/events/audit-log/record-verification.ts';
import { type LogReader, verifyLog } from '@svc/operations/events/audit-log/verify-log.ts';
import { verifyRecords } from '@svc/operations/events/audit-log/verify-records.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { createFairQueue } from '../../aside/in-turn.ts';
import type { EventsDeps } from '../deps.ts';

/** One at a time per organization: each verification makes many short reads. */
const inTurn = createFairQueue(2);
const PART = 'The audit log belongs to the whole organization, and your access is limited to a part of it. Ask a user with full access.';

export const verifyAuditEvents: Handler<Endpoints['verifyAuditEvents'], EventsDeps> = async (call, deps) => {
  const { organization_id } = call.scope;
  if (call.scope.workspace_ids || call.scope.environment_id) return call.refuse('PERMISSION_DENIED', PART);
  const { installationId, platformKeys } = deps;
  const { records, from_sequence = 0, checkpoints } = call.body;
  const verification = await inTurn(organization_id, async () => {
    // The log may be signed with a key that is newer than this process.
    await platformKeys.renew();
    const log = { organizationId: organization_id, installationId, keys: [...platformKeys.keys.ofLog.values()] };
    const read: LogReader = (work) => readInTenant(call.database, call.scope, work);
    return records === undefined ? verifyLog(read, log, from_sequence, { checkpoints }) : verifyRecords(read, log, records);
  });
  if (isRefusal(verification)) return verification;
  return call.change(async (change) => {
    await recordVerification(change, { organizationId: organization_id, verification });
    return verification;
  });
};
