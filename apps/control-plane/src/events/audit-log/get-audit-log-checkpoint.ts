import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readAnchored } from '@svc/postgres/audit/anchors/read-anchors.ts';
import { findTree } from '@svc/postgres/audit/log/read-log.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { EventsDeps } from '../deps.ts';
import { formatCosignedCheckpoint } from './views/cosigned.ts';

export const getAuditLogCheckpoint: Handler<Endpoints['getAuditLogCheckpoint'], EventsDeps> = async (call) => {
  const { organization_id } = call.scope;
  const note = await readInTenant(call.database, call.scope, async (tx) => {
    const tree = await findTree(tx, organization_id);
    return tree && formatCosignedCheckpoint(tree.checkpoint, await readAnchored(tx, organization_id, [tree.size]));
  });
  if (note === undefined) return call.refuse('NOT_FOUND', 'No event of this organization is sealed yet.');
  return { type: 'text/plain; charset=utf-8', bytes: Buffer.from(note) };
};
