import type { PolicyScope } from '@svc/contract/tables/vocabulary.ts';
import { normaliseSchema } from '@svc/domain/tools/schema/normalise-schema.ts';
import type { AnalysedTool } from '@svc/policy/analyse/analysed-tool.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Maximum number of tools read, and of characters of their schemas. */
const TOOLS_MAX = 300;
const SCHEMA_CHARS_MAX = 4_000_000;

/** Tools that rules can be about; `more` when there are others that were not read. */
export type ToolsInReach = { readonly tools: readonly AnalysedTool[]; readonly more: boolean };

type Target = { readonly scope: PolicyScope; readonly target_id: string };

const lies = ({ scope, target_id }: Target): RawBuilder<boolean> => {
  if (scope === 'ORGANIZATION') return sql`true`;
  if (scope === 'WORKSPACE') return sql`t.workspace_id = ${target_id}`;
  if (scope === 'ENVIRONMENT') return sql`t.environment_id = ${target_id}`;
  return sql`t.environment_id = (select a.environment_id from agents a where a.organization_id = t.organization_id and a.id = ${target_id})`;
};

/** Tools that requests under these bindings can be for. */
export const readToolsInReach = async (
  tx: TenantTransaction,
  organizationId: string,
  bindings: readonly Target[],
): Promise<ToolsInReach> => {
  if (bindings.length === 0) return { tools: [], more: false };
  const { rows } = await sql<AnalysedTool & { readonly fits: boolean }>`
    select name, required_capability, kind, risk_rating, dangerous, case when fits then parameters_schema end as parameters_schema,
           amount_from, currency_from, destination_from, is_executed as execution, workspace_id, environment_type, fits
      from (select t.*, e.type as environment_type, case when t.execution is not null then true end as is_executed,
                   sum(length(t.parameters_schema::text)) over (order by t.id) <= ${SCHEMA_CHARS_MAX} as fits
              from tools t
              join environments e on e.organization_id = t.organization_id and e.id = t.environment_id
             where t.organization_id = ${organizationId} and (${sql.join(bindings.map(lies), sql` or `)})
             order by t.id limit ${TOOLS_MAX + 1}) read`.execute(tx);
  const tools = rows
    .filter(({ fits }) => fits)
    .slice(0, TOOLS_MAX)
    .map((tool) => ({ ...tool, parameters_schema: normaliseSchema(tool.parameters_schema).schema }));
  return { tools, more: tools.length < rows.length };
};
