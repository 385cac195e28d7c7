import type { ProposedDeclaration } from '@svc/contract/tools/tool-imports.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { ImportRow } from './tool-imports.ts';

export type ImportedToolRow = {
  readonly tool_id: string;
  readonly key: string;
  readonly operation: string;
  readonly declaration: ProposedDeclaration;
  readonly hashes: Readonly<Record<string, string>>;
};

/** Stores the document's declaration when a tool was created from it or changed by it. */
export const keepTaken = async (
  tx: TenantTransaction,
  { organization_id, workspace_id, environment_id, source }: ImportRow,
  { tool_id, key, operation, declaration, hashes }: ImportedToolRow,
  now: Date,
): Promise<void> => {
  const said = { tool_id, operation, declaration: JSON.stringify(declaration), hashes: JSON.stringify(hashes), updated_at: now };
  await tx
    .insertInto('imported_tools')
    .values({ organization_id, workspace_id, environment_id, source, key, ...said })
    .onConflict((conflict) => conflict.columns(['organization_id', 'environment_id', 'source', 'key']).doUpdateSet(said))
    .execute();
};

const LOWER_NAME = sql<string>`lower(name collate "C")`;

/** Names among these, in lower case, that tools of the environment have in any case. */
export const namesTaken = async (
  tx: TenantTransaction,
  { organization_id, environment_id }: ImportRow,
  names: readonly string[],
): Promise<Set<string>> => {
  const found = await tx
    .selectFrom('tools')
    .select(LOWER_NAME.as('name'))
    .where('organization_id', '=', organization_id)
    .where('environment_id', '=', environment_id)
    .where(LOWER_NAME, 'in', [...names.map((name) => name.toLowerCase()), ''])
    .execute();
  return new Set(found.map(({ name }) => name));
};
