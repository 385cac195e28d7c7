import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { intoArchived } from '@svc/operations/tenancy/environments/archived-refusal.ts';
import { fullRefusal } from '@svc/operations/tenancy/organization/full-refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { countPlaces, takePlaceTurn } from '@svc/postgres/tenancy/count-places.ts';
import { insertEnvironment } from '@svc/postgres/tenancy/environments.ts';
import { findWorkspace } from '@svc/postgres/tenancy/workspaces.ts';
import type { ControlDeps } from '../../deps.ts';

const { perOrganizationMax } = LIMITS.environments;
const FULL = `An organization has at most ${perOrganizationMax} environments, archived ones among them: rename one that is archived and bring it back.`;

export const createEnvironment: Handler<Endpoints['createEnvironment'], ControlDeps> = (call) => {
  const { scope, now } = call;
  const { workspace_id, name, type, requires_delegation = false } = call.body;
  const { organization_id } = scope;
  if (scope.environment_id) return call.refuse('PERMISSION_DENIED', 'This call is limited to one environment, so it cannot make another.');
  return call.change(
    async ({ tx, emit }) => {
      const workspace = await findWorkspace(tx, organization_id, workspace_id);
      if (!workspace) return call.refuse('NOT_FOUND', 'There is no such workspace.');
      if (workspace.archived_at !== null) return intoArchived('workspace');
      await takePlaceTurn(tx, organization_id);
      // Those that the caller does not see count too.
      const there = await inWholeOrganization(tx, scope, () => countPlaces(tx, organization_id, 'environments'));
      if (there >= perOrganizationMax) return fullRefusal('environments', there + 1, perOrganizationMax, FULL);
      const id = call.newId('environment');
      const environment = await insertEnvironment(tx, { organization_id, id, workspace_id, name, type, requires_delegation, now });
      emit('environment.created', {
        ...about.environment(environment),
        data: { after: { name, type, mode: environment.mode, requires_delegation } },
      });
      return environment;
    },
    { environments_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'The workspace already has an environment of this name.') },
  );
};
