import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { pageOf, readPage } from '@svc/http/lists/page.ts';
import { readCheckpoints } from '@svc/postgres/audit/log/read-log.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { ControlDeps } from '../../deps.ts';

export const listAuditCheckpoints: Handler<Endpoints['listAuditCheckpoints'], ControlDeps> = async (call, deps) => {
  const page = readPage(call, deps.cursorKey, 'audit-checkpoints');
  if (isRefusal(page)) return page;
  const below = page.after === undefined ? Number.MAX_SAFE_INTEGER : Number(page.after);
  const rows = await readInTenant(call.database, call.scope, (tx) =>
    readCheckpoints(tx, call.scope.organization_id, { below, limit: page.limit + 1 }),
  );
  const told = pageOf(
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
      checkpoint: note,
      created_at,
    })),
  };
};
