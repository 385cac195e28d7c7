import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { getAddressDomain } from '@svc/domain/people/sso/address-domain.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { getScimBaseUrl } from '@svc/operations/people/scim/base-url.ts';
import { UNVERIFIED } from '@svc/operations/people/scim/change-user.ts';
import { findScimFault } from '@svc/operations/people/scim/scim-fault.ts';
import { joinByDirectory } from '@svc/operations/people/scim/set-active.ts';
import { findUserByAddress } from '@svc/postgres/people/scim/settings.ts';
import { findDirectoryUser, insertAccount, saveDirectoryUser, takeDeleted } from '@svc/postgres/people/scim/users.ts';
import { isVerifiedDomain } from '@svc/postgres/people/sso/domains.ts';
import { findMember } from '@svc/postgres/people/sso/identities.ts';
import type { PeopleDeps } from '../deps.ts';
import { formatUser, selectAttributes } from './resources/format-resources.ts';
import { readUser } from './resources/read-user.ts';

/**
 * Creates a user. A person with an account, in any organization, joins with it and cannot be distinguished from a new one: an organization
 * grants memberships in itself, and the directory reaches no further.
 */
export const createScimUser: Handler<Endpoints['createScimUser'], PeopleDeps> = async (call, deps) => {
  const said = await readUser(call.body);
  if (isRefusal(said)) return said;
  const { now, scope } = call;
  const { organization_id } = scope;
  const { active, ...kept } = said;
  const proving = { desk: deps, posting: call, organizationId: organization_id, by: 'SCIM' } as const;
  const exists = () => call.refuse('ALREADY_EXISTS', 'There is a user of this name or address: look for it by userName.');
  const account = await findUserByAddress(deps.identity, said.email);
  return call.change(
    async (change) => {
      const { tx } = change;
      const domain = getAddressDomain(said.email) ?? '';
      if (!(await isVerifiedDomain(tx, { organization_id, domain }))) return findScimFault('invalidValue', UNVERIFIED);
      const there =
        (await findDirectoryUser(tx, organization_id, { by: 'user_name', value: said.user_name })) ??
        (await findDirectoryUser(tx, organization_id, { by: 'email', value: said.email }));
      if (there || (account !== null && (await findMember(tx, organization_id, account)))) return exists();
      const name = said.display_name ?? ([said.given_name, said.family_name].filter(Boolean).join(' ') || (said.email.split('@')[0] ?? ''));
      const [id, user_id] = [call.newId('member'), account ?? call.newId('user')];
      const made_user = account === null || (await takeDeleted(tx, organization_id, account));
      if (account === null) await insertAccount(tx, { id: user_id, email: said.email, name }, now);
      await saveDirectoryUser(tx, organization_id, { id, user_id, made_user, ...kept }, now);
      const directed = { organization_id, made_by: call.directory.madeBy, now, proving };
      const joining = { id, user_id, email: said.email, made_user, groups: [] };
      const refused = active !== false ? await joinByDirectory(change, directed, joining) : undefined;
      if (isRefusal(refused)) return refused;
      const made = await findDirectoryUser(tx, organization_id, { by: 'id', value: id });
      return made ? selectAttributes(formatUser(made, getScimBaseUrl(deps)), call.query) : call.refuse('NOT_FOUND');
    },
    {
      users_email_is_unique: exists,
      scim_users_name_is_unique: exists,
      scim_users_are_once_per_person: exists,
      members_are_once_per_organization: exists,
    },
  );
};
