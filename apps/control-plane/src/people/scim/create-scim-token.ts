import type { Endpoints } from '@svc/contract/endpoints.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { lockStaff } from '@svc/postgres/people/members/staff.ts';
import { readScimSettings, setScimToken } from '@svc/postgres/people/scim/settings.ts';
import type { ControlDeps } from '../../deps.ts';
import { grantFault } from '@svc/operations/people/sso/grant-fault.ts';
import { refusePart } from '@svc/operations/people/sso/refuse-part.ts';
import { scimBase } from '@svc/operations/people/scim/base-url.ts';
import { givenByDirectory } from '@svc/operations/people/scim/given-by-directory.ts';

/** Whoever has the token can put people into groups, and so gives the roles that these stand for: they hold them all. */
export const createScimToken: Handler<Endpoints['createScimToken'], ControlDeps> = async (call, deps) => {
  const part = refusePart(call.scope);
  if (part) return part;
  return call.change(async ({ tx, emit }) => {
    const { organization_id } = call.scope;
    const acting = { scope: call.scope, actor: call.caller.actor, now: call.now };
    await lockStaff(tx, organization_id);
    const refused = await grantFault(tx, acting, givenByDirectory(await readScimSettings(tx, organization_id)));
    if (refused) return refused;
    const token = newSecretToken(SECRET_PREFIXES.scim);
    await setScimToken(tx, organization_id, { hash: hashSecret(token), by: call.caller.actor.id }, call.now);
    emit('scim.configuration_updated', { ...about.organization({ id: organization_id }), data: { change: 'token_made' } });
    return { token, base_url: scimBase(deps) };
  });
};
