import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { declaredOf } from '@svc/domain/tools/declaration/change-declaration.ts';
import { validateToolDeclaration } from '@svc/domain/tools/declaration/validate-tool-declaration.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { archivedRefusal } from '@svc/operations/tenancy/environments/archived-refusal.ts';
import type { AnalysedTool } from '@svc/policy/analyse/analysed-tool.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import { keepToolVersion } from '@svc/postgres/tools/tool-versions.ts';
import { findTool, insertTool } from '@svc/postgres/tools/tools.ts';
import type { ControlDeps } from '../../deps.ts';
import { credentialRefusal, NOT_HELD, SENDING } from './declaration/credential-refusal.ts';
import { toolWarnings } from './warnings/tool-warnings.ts';

type CreateTool = Endpoints['createTool'];

const declarationRefusal = (call: Call<CreateTool>): Refusal<'VALIDATION_FAILED' | 'PERMISSION_DENIED'> | undefined => {
  const { body } = call;
  if (body.kind === 'MCP')
    return call.fault('/kind', 'Tools of kind MCP come from a registered MCP server; register HTTP or SDK tools here.');
  if (body.execution?.credential_id !== undefined && !call.holds(SENDING))
    return call.refuse('PERMISSION_DENIED', NOT_HELD, { permissions: [SENDING] });
  const faults = validateToolDeclaration(body);
  return faults.length > 0 ? call.refuse('VALIDATION_FAILED', 'The declaration is not valid.', { faults }) : undefined;
};

const rowOf = ({ body, scope, now }: Call<CreateTool>, id: string, workspaceId: string) => ({
  organization_id: scope.organization_id,
  id,
  workspace_id: workspaceId,
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
  execution: body.execution ? JSON.stringify(body.execution) : null,
  disabled_reason: null,
  created_at: now,
  updated_at: now,
});

const analysed = ({ body }: Call<CreateTool>): AnalysedTool => ({
  name: body.name,
  required_capability: body.required_capability,
  kind: body.kind,
  risk_rating: body.risk_rating ?? 'LOW',
  dangerous: body.dangerous ?? false,
  parameters_schema: body.parameters_schema ?? { type: 'object' },
  amount_from: body.amount_from ?? null,
  currency_from: body.currency_from ?? null,
  destination_from: body.destination_from ?? null,
  execution: body.execution ? true : null,
});

export const createTool: Handler<CreateTool, ControlDeps> = async (call) => {
  const refused = declarationRefusal(call);
  if (refused) return refused;
  const { organization_id } = call.scope;
  // Looked at before, so that no transaction waits for it.
  const warnings = await toolWarnings(call, analysed(call));
  return call.change(
    async ({ tx, emit }) => {
      const environment = await findEnvironment(tx, organization_id, call.body.environment_id);
      if (!environment) return call.refuse('NOT_FOUND', 'There is no such environment.');
      const archived = await archivedRefusal(tx, organization_id, environment.id);
      if (archived) return archived;
      const declared = { organization_id, environment_id: environment.id, name: call.body.name, execution: call.body.execution };
      const unusable = await credentialRefusal(tx, declared);
      if (unusable) return unusable;
      const place = { workspace_id: environment.workspace_id, environment_id: environment.id };
      const id = call.newId('tool');
      await insertTool(tx, rowOf(call, id, environment.workspace_id));
      const tool = await findTool(tx, organization_id, id);
      if (!tool) throw new Error('a tool that was just added is not there');
      const first = { version_number: 1, declaration: declaredOf(tool), created_at: call.now, created_by: call.caller.actor.id };
      await keepToolVersion(tx, organization_id, { ...place, id }, first);
      const { name, kind, required_capability, risk_rating, dangerous, destination_allowlist } = tool;
      emit('tool.created', {
        ...about.tool({ ...place, id }),
        data: { after: { name, kind, required_capability, risk_rating, dangerous, destination_allowlist } },
      });
      return warnings.length === 0 ? tool : { ...tool, warnings: [...warnings] };
    },
    { tools_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'A tool of this name exists in this environment.') },
  );
};
