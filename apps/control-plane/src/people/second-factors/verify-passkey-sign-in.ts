import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { type Assertion, readAssertion } from '@svc/keyring/factors/passkeys.ts';
import { openProvedSession } from '@svc/operations/people/auth/finish-sign-in.ts';
import { findMembership, listMemberships, type Membership } from '@svc/postgres/people/auth/people.ts';
import { findPasskey } from '@svc/postgres/people/second-factors/second-factors.ts';
import { takeAssertion } from '@svc/postgres/people/second-factors/take-factor.ts';
import { newOpening } from '../auth/sign-in/new-opening.ts';
import { recordFailure } from '../auth/sign-in/record-failure.ts';
import type { PeopleDeps } from '../deps.ts';

type SignInCall = Call<Endpoints['verifyPasskeySignIn']>;
type Found = { readonly member: Membership; readonly factorId: string; readonly isSecondOnly: boolean; readonly assertion: Assertion };

const SECOND_ONLY =
  'This passkey was enrolled in a single sign-on session and is only a second factor. Sign in with your provider, or sign in with a password and enroll the passkey again.';
const WRONG = 'No passkey of a member was used for a sign-in that waits: start again.';

/** Finds the owner of a passkey as a member of the named organization, or of the first one they joined. */
const whose = async ({ identity }: PeopleDeps, userId: string, organizationId: string | undefined): Promise<Membership | undefined> =>
  organizationId === undefined ? (await listMemberships(identity, userId))[0] : findMembership(identity, userId, organizationId);

const find = async ({ body, now }: SignInCall, deps: PeopleDeps): Promise<{ member?: Membership; found?: Found }> => {
  const { party, keys } = deps.factors;
  const stored = await findPasskey(deps.identity, Buffer.from(body.passkey.id, 'base64url'));
  if (!stored || !party) return {};
  const member = await whose(deps, stored.user_id, body.organization_id);
  if (!member) return {};
  const asking = { key: keys.passkeyChallenges, party, ceremony: { of: 'sign-in' }, now } as const;
  const assertion = await readAssertion(asking, stored, body.passkey);
  return assertion ? { member, found: { member, factorId: stored.id, isSecondOnly: stored.vouched_by !== null, assertion } } : { member };
};

/** A passkey verifies its user before it signs, so it replaces a password and a second factor. */
export const verifyPasskeySignIn: Handler<Endpoints['verifyPasskeySignIn'], PeopleDeps> = async (call, deps) => {
  const { member, found } = await find(call, deps);
  if (!member || !found) return recordFailure(call, member, { data: { passkey: true }, message: WRONG });
  if (found.isSecondOnly) return call.refuse('PERMISSION_DENIED', SECOND_ONLY);
  const user = { id: member.user_id, email: member.email, name: member.name };
  const organization = { id: member.organization_id, name: member.organization_name };
  return call.change(
    async (change) => {
      if (!(await takeAssertion(change.tx, user.id, found.factorId, found.assertion, call.now)))
        return call.refuse('INVALID_CREDENTIALS', WRONG);
      return openProvedSession(
        change,
        newOpening(call, deps.settings),
        { user, organization, rights: member, epoch: member.person_epoch + member.member_epoch },
        ['PASSKEY'],
      );
    },
    undefined,
    { scope: { organization_id: organization.id }, actor: { type: 'USER', id: user.id, name: user.name } },
  );
};
