import type { ToolDeclared, ToolVersion } from '@svc/contract/tools/declarations.ts';
import { hideExecutionSecrets } from '@svc/domain/tools/declaration/hide-execution-secrets.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import { findFittingRows } from '../lists/fitting-rows.ts';
import { countUpTo, type Listed, type ListedPart, listed } from '../lists/listed.ts';
import type { StoredTool } from './tools.ts';

type Declared = Pick<StoredTool, 'id' | 'workspace_id' | 'environment_id'>;
type NewToolVersion = Pick<ToolVersion, 'version_number' | 'declaration' | 'created_by'> & { readonly created_at: Date | string };

/** Stores a declaration under its number, without secrets in its execution. An existing one stays unchanged. */
export const keepToolVersion = async (
  tx: TenantTransaction,
  organizationId: string,
  { id, workspace_id, environment_id }: Declared,
  { declaration, ...version }: NewToolVersion,
): Promise<void> => {
  const { execution } = declaration;
  const shown = { ...declaration, execution: execution && hideExecutionSecrets(execution) };
  await tx
    .insertInto('tool_versions')
    .values({ organization_id: organizationId, tool_id: id, workspace_id, environment_id, ...version, declaration: JSON.stringify(shown) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Replaces the current declaration. Its trigger makes every gateway read it before the next decision. */
export const writeDeclaration = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  change: { readonly declaration: ToolDeclared; readonly version: number; readonly description: string; readonly now: Date },
): Promise<void> => {
  const { parameters_schema, execution, ...declared } = change.declaration;
  await tx
    .updateTable('tools')
    .set({
      ...declared,
      parameters_schema: JSON.stringify(parameters_schema),
      execution: execution && JSON.stringify(execution),
      declaration_version: change.version,
      description: change.description,
      updated_at: change.now,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
};

/** Versions from before a member was stored lack it. */
const whole = (version: ToolVersion): ToolVersion => ({
  ...version,
  declaration: { ...version.declaration, narrowable: version.declaration.narrowable ?? [] },
});

const selectVersions = (tx: TenantTransaction, organizationId: string, toolId: string) =>
  tx
    .selectFrom('tool_versions')
    .select(['version_number', 'declaration', 'created_at', 'created_by'])
    .where('organization_id', '=', organizationId)
    .where('tool_id', '=', toolId);

/** Lists stored declarations, newest first. */
export const listStoredVersions = async (
  tx: TenantTransaction,
  organizationId: string,
  toolId: string,
  part: ListedPart,
): Promise<Listed<ToolVersion>> => {
  const ofTool = () => selectVersions(tx, organizationId, toolId);
  const limit = await findFittingRows(
    tx,
    part,
    ({ limit, offset }) =>
      sql`select version_number as place, octet_length(declaration::text) as bytes from tool_versions
         where organization_id = ${organizationId} and tool_id = ${toolId} order by version_number desc limit ${limit} offset ${offset}`,
  );
  return listed(
    { ...part, limit },
    async ({ limit, offset }) => (await ofTool().orderBy('version_number', 'desc').limit(limit).offset(offset).execute()).map(whole),
    (max) => countUpTo(tx, ofTool(), max),
  );
};

export const findKeptVersion = async (
  tx: TenantTransaction,
  organizationId: string,
  toolId: string,
  number: number,
): Promise<ToolVersion | undefined> => {
  const version = await selectVersions(tx, organizationId, toolId).where('version_number', '=', number).executeTakeFirst();
  return version && whole(version);
};
