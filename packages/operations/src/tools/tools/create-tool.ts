import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import type { ToolWarning } from '@svc/contract/tools/tools.ts';
import { findRoomRefusal, measureTool } from '@svc/domain/tools/declaration/environment-capacity.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import { measureTools } from '@svc/postgres/tools/measure-tools.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { findArchivedRefusal } from '../../tenancy/environments/archived-refusal.ts';
import { findCredentialRefusal } from './credential-refusal.ts';
import { registerTool } from './register-tool.ts';

export const createTool = async (
  { tx, emit }: Change<EmittedBy<Endpoints['createTool']>>,
  request: CallContext & { readonly body: EndpointBody<Endpoints['createTool']> },
  warnings: readonly ToolWarning[],
) => {
  const { organization_id } = request.scope;
  const environment = await findEnvironment(tx, organization_id, request.body.environment_id);
  if (!environment) return buildRefusal('NOT_FOUND', 'The environment does not exist.');
  const archived = await findArchivedRefusal(tx, organization_id, environment.id);
  if (archived) return archived;
  const declared = { organization_id, environment_id: environment.id, name: request.body.name, execution: request.body.execution };
  const unusable = await findCredentialRefusal(tx, declared);
  if (unusable) return unusable;
  const full = findRoomRefusal(await measureTools(tx, organization_id, environment.id), measureTool(request.body));
  if (full) return full;
  const of = {
    organization_id,
    workspace_id: environment.workspace_id,
    id: newId('tool'),
    now: request.now,
    by: request.actor.id,
  };
  const tool = await registerTool({ tx, emit }, request.body, of);
  return warnings.length === 0 ? tool : { ...tool, warnings: [...warnings] };
};
