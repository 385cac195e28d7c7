import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { type LogReader, verifyLog } from '@svc/operations/events/audit-log/verify-log.ts';
import { verifyRecords } from '@svc/operations/events/audit-log/verify-records.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { newTurns } from '../../aside/in-turn.ts';
import type { EventsDeps } from '../deps.ts';

/** One at a time for each organization: each takes many short turns at the database, and none of them long. */
const inTurn = newTurns(2);
const PART = 'The audit log belongs to the whole organization, and your access is limited to a part of it. Ask a user with full access.';

export const verifyAuditEvents: Handler<Endpoints['verifyAuditEvents'], EventsDeps> = async (call, deps) => {
  const { organization_id } = call.scope;
  if (call.scope.workspace_ids || call.scope.environment_id) return call.refuse('PERMISSION_DENIED', PART);
  const { installationId, platformKeys } = deps;
  const asked = call.body.records;
  const told = await inTurn(organization_id, async () => {
    // A log that a key of since then has signed is no other log.
    await platformKeys.renew();
    const log = { organizationId: organization_id, installationId, keys: [...platformKeys.keys.ofLog.values()] };
    const read: LogReader = (work) => readInTenant(call.database, call.scope, work);
    return asked === undefined ? verifyLog(read, log, call.body.from_sequence ?? 0) : verifyRecords(read, log, asked);
  });
  if (isRefusal(told)) return told;
  return call.change(async ({ emit }) => {
    const { findings, checkpoint: _, records, ...result } = told;
    const data = {
      ...result,
      ...(records === undefined ? {} : { records: records.length }),
      findings: findings.length,
      kinds: [...new Set(findings.map(({ kind }) => kind))],
    };
    emit('audit.integrity_verified', {
      ...about.organization({ id: organization_id }),
      ...(told.intact ? {} : { severity: 'critical' }),
      data,
    });
    return told;
  });
};
