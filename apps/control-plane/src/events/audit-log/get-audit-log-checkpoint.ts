import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findTree } from '@svc/postgres/audit/log/read-log.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { ControlDeps } from '../../deps.ts';

export const getAuditLogCheckpoint: Handler<Endpoints['getAuditLogCheckpoint'], ControlDeps> = async (call) => {
  const tree = await readInTenant(call.database, call.scope, (tx) => findTree(tx, call.scope.organization_id));
  if (tree === undefined) return call.refuse('NOT_FOUND', 'Nothing of this organization is sealed yet.');
  return { type: 'text/plain; charset=utf-8', bytes: Buffer.from(tree.checkpoint) };
};
