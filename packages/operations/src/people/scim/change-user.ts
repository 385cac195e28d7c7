import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { getAddressDomain } from '@svc/domain/people/sso/address-domain.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { type DirectoryUser, findDirectoryUser, saveDirectoryUser } from '@svc/postgres/people/scim/users.ts';
import { isVerifiedDomain } from '@svc/postgres/people/sso/domains.ts';
import type { AddressProof, ClaimEvent } from '../members/claim-account.ts';
import type { Directed } from './directory-standing.ts';
import { findScimFault } from './scim-fault.ts';
import { joinByDirectory, leaveByDirectory } from './set-active.ts';

/** Attributes of a user from a directory that are stored. */
export type ScimUserInput = {
  readonly user_name: string;
  readonly email: string;
  readonly external_id: string | null;
  readonly given_name: string | null;
  readonly family_name: string | null;
  readonly display_name: string | null;
  /** Null if the directory does not state it. */
  readonly active: boolean | null;
};

type Changing = Change<'user.profile_updated' | 'member.joined' | 'member.removed' | 'apikey.revoked' | 'approval.cancelled' | ClaimEvent>;
type At = Directed & { readonly proving: AddressProof };

const ADDRESS_STAYS = 'The address of a user cannot change, because it identifies them and receives their mail. Create a new user instead.';
export const UNVERIFIED = 'The domain of the address is not one that the organization has verified.';

const SAID = ['user_name', 'external_id', 'given_name', 'family_name', 'display_name'] as const;

const pick = (from: Pick<ScimUserInput, (typeof SAID)[number]>) => Object.fromEntries(SAID.map((name) => [name, from[name]]));

/** Updates a user to the directory's state, and their membership. */
export const changeUser = async (change: Changing, at: At, before: DirectoryUser, { active: saidActive, ...said }: ScimUserInput) => {
  const { tx, emit } = change;
  const { organization_id, now } = at;
  if (said.email !== before.email) return findScimFault('mutability', ADDRESS_STAYS);
  const { id, user_id, made_user } = before;
  // A deactivated user stays inactive if the request does not state `active` (RFC 7644, section 3.5.1).
  const active = saidActive ?? before.active;
  if (JSON.stringify(pick(before)) !== JSON.stringify(pick(said))) {
    await saveDirectoryUser(tx, organization_id, { id, user_id, made_user, ...said }, now);
    emit('user.profile_updated', { ...about.user({ id: user_id }), data: { before: pick(before), after: pick(said), by: 'scim' } });
  } else if (!before.is_known) await saveDirectoryUser(tx, organization_id, { id, user_id, made_user, ...said }, now);
  if (active && !before.active) {
    const domain = getAddressDomain(before.email) ?? '';
    if (!(await isVerifiedDomain(tx, { organization_id, domain }))) return findScimFault('invalidValue', UNVERIFIED);
    const unjoined = await joinByDirectory(change, at, before);
    if (isRefusal(unjoined)) return unjoined;
  }
  const refused = !active && before.active ? await leaveByDirectory(change, at, id) : undefined;
  if (isRefusal(refused)) return refused;
  return findDirectoryUser(tx, organization_id, { by: 'id', value: id });
};
