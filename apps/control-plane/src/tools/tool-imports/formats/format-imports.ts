import type { ToolImport } from '@svc/contract/tools/tool-imports.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { countStates, type ImportRow } from '@svc/postgres/tools/tool-imports/tool-imports.ts';

const NONE: ToolImport['counts'] = { total: 0, NEW: 0, CHANGED: 0, UNCHANGED: 0, GONE: 0, REFUSED: 0 };

/** Formats imports of one organization with their relation to the existing tools. */
export const formatImports = async (tx: TenantTransaction, rows: readonly ImportRow[]): Promise<ToolImport[]> => {
  const [first] = rows;
  if (!first) return [];
  const counts = await countStates(
    tx,
    first.organization_id,
    rows.map(({ id }) => id),
  );
  return rows.map(({ organization_id: _, workspace_id: __, created_at, ...row }) => ({
    ...row,
    created_at: String(created_at),
    counts: counts.get(row.id) ?? NONE,
  }));
};
