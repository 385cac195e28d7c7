import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { slugOf } from '@svc/domain/tenancy/workspaces/slug.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { fullRefusal } from '@svc/operations/tenancy/organization/full-refusal.ts';
import { maskSecretText } from '@svc/policy/masks/mask-secrets.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { countPlaces, takePlaceTurn } from '@svc/postgres/tenancy/count-places.ts';
import { insertWorkspace, isSlugTaken } from '@svc/postgres/tenancy/workspaces.ts';
import type { ControlDeps } from '../../deps.ts';

const { perOrganizationMax } = LIMITS.workspaces;
const FULL = `An organization has at most ${perOrganizationMax} workspaces, archived ones among them: rename one that is archived and bring it back.`;

export const createWorkspace: Handler<Endpoints['createWorkspace'], ControlDeps> = (call) => {
  const { body, scope, now } = call;
  const { organization_id } = scope;
  if (scope.workspace_ids)
    return call.refuse('PERMISSION_DENIED', 'This call is limited to a part of the organization, so it cannot make a workspace.');
  return call.change(
    async ({ tx, emit }) => {
      await takePlaceTurn(tx, organization_id);
      // Those that the caller does not see count too.
      const there = await inWholeOrganization(tx, scope, () => countPlaces(tx, organization_id, 'workspaces'));
      if (there >= perOrganizationMax) return fullRefusal('workspaces', there + 1, perOrganizationMax, FULL);
      const id = call.newId('workspace');
      // What must not be told of a name is not in its slug either.
      const made = slugOf(maskSecretText(body.name), id);
      // Only a slug the caller chose can be taken: one that is made from the name gives way.
      const slug = body.slug ?? ((await isSlugTaken(tx, organization_id, made.short)) ? made.long : made.short);
      const workspace = await insertWorkspace(tx, { organization_id, id, name: body.name, slug, now });
      emit('workspace.created', { ...about.workspace(workspace), data: { after: { name: body.name, slug } } });
      return workspace;
    },
    { workspaces_slug_is_unique: () => call.refuse('ALREADY_EXISTS', 'A workspace with this slug already exists.') },
  );
};
