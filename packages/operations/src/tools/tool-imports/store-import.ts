import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { TenantScope, TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { insertProposals } from '@svc/postgres/tools/tool-imports/proposals.ts';
import {
  countImports,
  dropOlderImports,
  findImport,
  type ImportRow,
  insertImport,
  takeImportTurn,
} from '@svc/postgres/tools/tool-imports/tool-imports.ts';
import { newId } from '@svc/program/ids/new-id.ts';

const { perOrganizationMax, perSourceMax } = LIMITS.toolImports;
const FULL = `An organization keeps at most ${perOrganizationMax} imports: delete one first.`;

type Storing = Omit<ImportRow, 'id' | 'organization_id' | 'created_at'>;

/** Stores a document with its proposals, given as JSON arrays. */
export const storeImport = async (
  tx: TenantTransaction,
  { scope, now }: { readonly scope: TenantScope; readonly now: Date },
  storing: Storing,
  proposals: readonly string[],
): Promise<ImportRow | Refusal<'CONFLICT'>> => {
  const { organization_id } = scope;
  await takeImportTurn(tx, organization_id);
  const id = newId('tool_import');
  await insertImport(tx, { ...storing, organization_id, id, created_at: now });
  const row = await findImport(tx, { organization_id, id });
  if (!row) throw new Error('an import that was just added is not there');
  // First, so that the next document of a source is accepted regardless of the total.
  await dropOlderImports(tx, row, perSourceMax);
  const kept = await inWholeOrganization(tx, scope, () => countImports(tx, organization_id));
  if (kept > perOrganizationMax) return buildRefusal('CONFLICT', FULL);
  for (const rows of proposals) await insertProposals(tx, row, rows);
  return row;
};
