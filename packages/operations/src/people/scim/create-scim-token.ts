import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockStaff } from '@svc/postgres/people/members/staff.ts';
import { readScimSettings, setScimToken } from '@svc/postgres/people/scim/settings.ts';
import type { CallContext } from '../auth/acting.ts';
import { findGrantRefusal } from '../sso/grant-fault.ts';
import { getScimBaseUrl } from './base-url.ts';
import { listDirectoryRoles } from './directory-roles.ts';

/** Creates a directory token. Its holder can assign groups, and so the mapped roles: the creator must hold them all. */
export const createScimToken = async (
  { tx, emit }: Change<'scim.configuration_updated'>,
  request: CallContext,
  deps: { readonly urls: { readonly base: string } },
) => {
  const { organization_id } = request.scope;
  const acting = { scope: request.scope, actor: request.actor, now: request.now };
  await lockStaff(tx, organization_id);
  const refused = await findGrantRefusal(tx, acting, listDirectoryRoles(await readScimSettings(tx, organization_id)));
  if (refused) return refused;
  const token = newSecretToken(SECRET_PREFIXES.scim);
  await setScimToken(tx, organization_id, { hash: hashSecret(token), by: request.actor.id }, request.now);
  emit('scim.configuration_updated', { ...about.organization({ id: organization_id }), data: { change: 'token_made' } });
  return { token, base_url: getScimBaseUrl(deps) };
};
