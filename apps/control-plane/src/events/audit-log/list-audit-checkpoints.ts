import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { buildPage, readPage } from '@svc/http/lists/page.ts';
import { readAnchored } from '@svc/postgres/audit/anchors/read-anchors.ts';
import { readCheckpoints } from '@svc/postgres/audit/log/read-log.ts';
import { newSearchReader } from '@svc/postgres/connection/open-replica.ts';
import type { EventsDeps } from '../deps.ts';
import { formatAnchors, formatCosignedCheckpoint } from './views/cosigned.ts';

export const listAuditCheckpoints: Handler<Endpoints['listAuditCheckpoints'], EventsDeps> = async (call, deps) => {
  const page = readPage(call, deps.cursorKey, 'audit-checkpoints');
  if (isRefusal(page)) return page;
  const below = page.after === undefined ? Number.MAX_SAFE_INTEGER : Number(page.after);
  const { organization_id } = call.scope;
  const { rows, anchored } = await newSearchReader(
    call.database,
    deps.replica,
    call.scope,
  )(async (tx) => {
    const found = await readCheckpoints(tx, organization_id, { below, limit: page.limit + 1 });
    const sizes = found.map(({ size }) => size);
    return { rows: found, anchored: Map.groupBy(await readAnchored(tx, organization_id, sizes), ({ size }) => size) };
  });
  const told = buildPage(
    rows.map((row) => ({ id: String(row.size), ...row })),
    page,
    deps.cursorKey,
  );
  return {
    ...told,
    data: told.data.map(({ id, size, root_hash, note, created_at }) => ({
      id,
      size,
      root_hash: root_hash.toString('base64'),
      checkpoint: formatCosignedCheckpoint(note, anchored.get(size) ?? []),
      created_at,
      anchors: formatAnchors(anchored.get(size) ?? []),
    })),
  };
};
