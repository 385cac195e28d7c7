import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createFullRefusal } from '@svc/domain/tenancy/organization/full-refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { countPlaces, takePlaceTurn } from '@svc/postgres/tenancy/count-places.ts';
import { insertEnvironment } from '@svc/postgres/tenancy/environments.ts';
import { findWorkspace } from '@svc/postgres/tenancy/workspaces.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { refuseArchived } from './archived-refusal.ts';

const { perOrganizationMax } = LIMITS.environments;

const FULL = `An organization has at most ${perOrganizationMax} environments, archived ones among them: rename one that is archived and bring it back.`;

export const createEnvironment = async (
  { tx, emit }: Change<'environment.created'>,
  request: CallContext & { readonly body: EndpointBody<Endpoints['createEnvironment']> },
) => {
  const { scope, now } = request;
  const { workspace_id, name, type, requires_delegation = false } = request.body;
  const { organization_id } = scope;
  const workspace = await findWorkspace(tx, organization_id, workspace_id);
  if (!workspace) return buildRefusal('NOT_FOUND', 'The workspace does not exist.');
  if (workspace.archived_at !== null) return refuseArchived('workspace');
  await takePlaceTurn(tx, organization_id);
  // Environments that the caller cannot see count too.
  const there = await inWholeOrganization(tx, scope, () => countPlaces(tx, organization_id, 'environments'));
  if (there >= perOrganizationMax) return createFullRefusal('environments', there + 1, perOrganizationMax, FULL);
  const id = newId('environment');
  const environment = await insertEnvironment(tx, { organization_id, id, workspace_id, name, type, requires_delegation, now });
  emit('environment.created', {
    ...about.environment(environment),
    data: { after: { name, type, mode: environment.mode, requires_delegation } },
  });
  return environment;
};
