import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { listConsistencyProof } from '@svc/keyring/log/merkle.ts';
import { readSegmentHashes } from '@svc/operations/events/audit-log/hashes-over.ts';
import { findTree } from '@svc/postgres/audit/log/read-log.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { EventsDeps } from '../deps.ts';

const text = (hash: Buffer): string => hash.toString('base64');

export const getAuditLogConsistency: Handler<Endpoints['getAuditLogConsistency'], EventsDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const { organization_id } = call.scope;
    const size = (await findTree(tx, organization_id))?.size ?? 0;
    const { from, to = size } = call.query;
    const fault = (pointer: string, message: string) =>
      call.refuse('VALIDATION_FAILED', 'The query is not valid.', { faults: [{ pointer, message }] });
    if (to > size) return fault('/to', `Must be at most ${size}, the number of leaves in the log.`);
    if (from > to) return fault('/from', 'Must not be larger than the size of the later log.');
    const proof = from === 0 || from === to ? [] : listConsistencyProof(from, { from: 0, to });
    const [earlier, later, ...path] = await readSegmentHashes(tx, organization_id, [{ from: 0, to: from }, { from: 0, to }, ...proof]);
    if (earlier === undefined || later === undefined) throw new Error('the roots of a log were not worked out');
    return { from, to, from_root_hash: text(earlier), to_root_hash: text(later), consistency_path: path.map(text) };
  });
