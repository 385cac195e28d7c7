import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isDemoAddress } from '@svc/contract/people/demo-account.ts';
import { isRefusal, type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { builtInRole } from '@svc/contract/tables/built-in-roles.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { GUESSABLE, isGuessable } from '@svc/keyring/passwords/guessable-password.ts';
import { openProvedSession } from '@svc/operations/people/auth/finish-sign-in.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { insertOwner } from '@svc/postgres/people/auth/people.ts';
import { findRole } from '@svc/postgres/people/roles.ts';
import { endSetupLinks, hasAccount, takeSignUpTurn } from '@svc/postgres/people/setup.ts';
import type { ControlDeps } from '../../deps.ts';
import { isSetupTokenAlive } from '../setup/links/setup-token.ts';
import { newOpening } from './sign-in/new-opening.ts';

const OWNER = builtInRole('owner');

const CLOSED =
  'Sign-up is closed here: whoever operates this service decides who may found an organization (SVC_SIGNUP), the first by the set-up link that its start prints.';
const closed = (signup: string): Refusal<'PERMISSION_DENIED'> => refusal('PERMISSION_DENIED', CLOSED, { signup });

export const signup: Handler<Endpoints['signup'], ControlDeps> = async (call, deps) => {
  const { body, now } = call;
  const organizationName = body.organizationName ?? body.organization_name ?? '';
  if (body.organization_name !== undefined && body.organization_name !== organizationName)
    return call.fault('/organization_name', 'Must not differ from organizationName.');
  const isDemo = isDemoAddress(body.email.toLowerCase());
  // The demo uses up no link, so it is let in only where nobody is: else the link would be a door that stays open.
  const mayFound = async () =>
    deps.settings.signup === 'open' ||
    ((await isSetupTokenAlive(deps.identity, body.setup_token)) && !(isDemo && (await hasAccount(deps.identity))));
  if (!(await mayFound())) return closed(deps.settings.signup);
  // Hashing takes a while; no transaction waits for it.
  const known = [body.email, body.name, organizationName];
  const hashed = await deps.passwords.hash(body.password, (password) => isGuessable(password, known));
  if (isRefusal(hashed)) return call.refuse('RATE_LIMITED', hashed.message, hashed.details);
  const { phc } = hashed;
  if (phc === null) return call.fault('/password', GUESSABLE);
  const user = { id: call.newId('user'), email: body.email.toLowerCase(), name: body.name };
  const organization = { id: call.newId('organization'), name: organizationName };
  const member = { id: call.newId('member'), role_id: OWNER.id };
  return call.change(
    async ({ tx, emit }) => {
      if (deps.settings.signup !== 'open') await takeSignUpTurn(tx);
      // Of several who hold the link, one is the first; the others learn of it here.
      if (!(await mayFound())) return closed(deps.settings.signup);
      await insertOwner(tx, { organization, user: { ...user, password_hash: phc }, member, now });
      if (!isDemo) await endSetupLinks(tx, now);
      const role = await findRole(tx, organization.id, OWNER.id);
      const rights = { permissions: role?.permissions ?? [], workspace_ids: null };
      const opening = newOpening(call, deps.settings);
      emit('organization.created', {
        ...about.organization(organization),
        data: { after: { name: organization.name } },
      });
      emit('member.joined', { ...about.member(member), data: { after: { user_id: user.id, role_id: OWNER.id } } });
      return openProvedSession({ tx, emit }, opening, { user, organization, rights }, ['PASSWORD']);
    },
    {
      users_email_is_unique: () =>
        call.refuse(
          'ALREADY_EXISTS',
          'An account with this e-mail address already exists: sign in with POST /v1/auth/login, or take another address.',
        ),
    },
    { scope: { organization_id: organization.id }, actor: { type: 'USER', id: user.id, name: user.name } },
  );
};
