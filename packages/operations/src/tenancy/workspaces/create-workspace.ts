import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createFullRefusal } from '@svc/domain/tenancy/organization/full-refusal.ts';
import { createSlug } from '@svc/domain/tenancy/workspaces/slug.ts';
import { maskSecretText } from '@svc/policy/masks/mask-secrets.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { countPlaces, takePlaceTurn } from '@svc/postgres/tenancy/count-places.ts';
import { insertWorkspace, isSlugTaken } from '@svc/postgres/tenancy/workspaces.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../../people/auth/acting.ts';

const { perOrganizationMax } = LIMITS.workspaces;

const FULL = `An organization has at most ${perOrganizationMax} workspaces, archived ones among them: rename one that is archived and bring it back.`;

export const createWorkspace = async (
  { tx, emit }: Change<'workspace.created'>,
  request: CallContext & { readonly body: EndpointBody<Endpoints['createWorkspace']> },
) => {
  const { scope, body, now } = request;
  const { organization_id } = scope;
  await takePlaceTurn(tx, organization_id);
  // Workspaces that the caller cannot see count too.
  const there = await inWholeOrganization(tx, scope, () => countPlaces(tx, organization_id, 'workspaces'));
  if (there >= perOrganizationMax) return createFullRefusal('workspaces', there + 1, perOrganizationMax, FULL);
  const id = newId('workspace');
  // Masked parts of a name must not appear in its slug.
  const made = createSlug(maskSecretText(body.name), id);
  // Only a slug that the caller chose can conflict: a generated one gets a suffix.
  const slug = body.slug ?? ((await isSlugTaken(tx, organization_id, made.short)) ? made.long : made.short);
  const workspace = await insertWorkspace(tx, { organization_id, id, name: body.name, slug, now });
  emit('workspace.created', { ...about.workspace(workspace), data: { after: { name: body.name, slug } } });
  return workspace;
};
