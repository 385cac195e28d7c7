import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { heldBy, roomRefusal } from '@svc/domain/tools/declaration/environment-room.ts';
import { validateToolDeclaration } from '@svc/domain/tools/declaration/validate-tool-declaration.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { archivedRefusal } from '@svc/operations/tenancy/environments/archived-refusal.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import { measureTools } from '@svc/postgres/tools/measure-tools.ts';
import type { ControlDeps } from '../../deps.ts';
import { credentialRefusal, NOT_HELD, SENDING } from './declaration/credential-refusal.ts';
import { analysedDeclaration, registerTool } from './declaration/register-tool.ts';
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

export const createTool: Handler<CreateTool, ControlDeps> = async (call) => {
  const refused = declarationRefusal(call);
  if (refused) return refused;
  const { organization_id } = call.scope;
  // Looked at before, so that no transaction waits for it.
  const warnings = await toolWarnings(call, [analysedDeclaration(call.body)]);
  return call.change(
    async ({ tx, emit }) => {
      const environment = await findEnvironment(tx, organization_id, call.body.environment_id);
      if (!environment) return call.refuse('NOT_FOUND', 'There is no such environment.');
      const archived = await archivedRefusal(tx, organization_id, environment.id);
      if (archived) return archived;
      const declared = { organization_id, environment_id: environment.id, name: call.body.name, execution: call.body.execution };
      const unusable = await credentialRefusal(tx, declared);
      if (unusable) return unusable;
      const full = roomRefusal(await measureTools(tx, organization_id, environment.id), heldBy(call.body));
      if (full) return full;
      const of = {
        organization_id,
        workspace_id: environment.workspace_id,
        id: call.newId('tool'),
        now: call.now,
        by: call.caller.actor.id,
      };
      const tool = await registerTool({ tx, emit }, call.body, of);
      return warnings.length === 0 ? tool : { ...tool, warnings: [...warnings] };
    },
    {
      tools_name_is_unique: () =>
        call.refuse('ALREADY_EXISTS', 'A tool with this name already exists in this environment. Names are compared without case.'),
    },
  );
};
