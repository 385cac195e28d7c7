import type { Tool, ToolDeclaration } from '@svc/contract/tools/tools.ts';
import { pickDeclared } from '@svc/domain/tools/declaration/change-declaration.ts';
import { normaliseSchema } from '@svc/domain/tools/schema/normalise-schema.ts';
import type { AnalysedTool } from '@svc/policy/analyse/analysed-tool.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { keepToolVersion } from '@svc/postgres/tools/tool-versions.ts';
import { findTool, insertTool } from '@svc/postgres/tools/tools.ts';

type Registering = {
  readonly organization_id: string;
  readonly workspace_id: string;
  readonly id: string;
  readonly now: Date;
  readonly by: string;
};

const getRow = (body: ToolDeclaration, { organization_id, workspace_id, id, now }: Registering) => ({
  organization_id,
  id,
  workspace_id,
  environment_id: body.environment_id,
  name: body.name,
  description: body.description ?? '',
  required_capability: body.required_capability,
  kind: body.kind,
  destination_allowlist: body.destination_allowlist ?? [],
  risk_rating: body.risk_rating ?? ('LOW' as const),
  dangerous: body.dangerous ?? false,
  parameters_schema: JSON.stringify(body.parameters_schema ?? { type: 'object' }),
  amount_from: body.amount_from ?? null,
  currency_from: body.currency_from ?? null,
  destination_from: body.destination_from ?? null,
  narrowable: body.narrowable ?? [],
  execution: body.execution ? JSON.stringify(body.execution) : null,
  disabled_reason: null,
  created_at: now,
  updated_at: now,
});

/** Converts a declaration without a tool to the form in which rules are analysed. */
export const convertAnalysedDeclaration = (body: ToolDeclaration): AnalysedTool => ({
  name: body.name,
  required_capability: body.required_capability,
  kind: body.kind,
  risk_rating: body.risk_rating ?? 'LOW',
  dangerous: body.dangerous ?? false,
  parameters_schema: normaliseSchema(body.parameters_schema ?? { type: 'object' }).schema,
  amount_from: body.amount_from ?? null,
  currency_from: body.currency_from ?? null,
  destination_from: body.destination_from ?? null,
  execution: body.execution ? true : null,
});

/** Adds a tool whose declaration was checked, with its first version and its event. */
export const registerTool = async (
  { tx, emit }: Pick<Change<'tool.created'>, 'tx' | 'emit'>,
  body: ToolDeclaration,
  of: Registering,
): Promise<Tool> => {
  const { organization_id, id } = of;
  const place = { workspace_id: of.workspace_id, environment_id: body.environment_id };
  await insertTool(tx, getRow(body, of));
  const tool = await findTool(tx, organization_id, id);
  if (!tool) throw new Error('a tool that was just added is not there');
  const first = { version_number: 1, declaration: pickDeclared(tool), created_at: of.now, created_by: of.by };
  await keepToolVersion(tx, organization_id, { ...place, id }, first);
  const { name, kind, required_capability, risk_rating, dangerous, destination_allowlist } = tool;
  emit('tool.created', {
    ...about.tool({ ...place, id }),
    data: { after: { name, kind, required_capability, risk_rating, dangerous, destination_allowlist } },
  });
  return tool;
};
