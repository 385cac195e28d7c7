import { isDemoAddress } from '@svc/contract/people/demo-account.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { endSetupLinks, hasAccount, takeSignUpTurn } from '@svc/postgres/people/setup.ts';
import type { PeopleDeps } from '../../deps.ts';
import { isSetupTokenAlive } from '../../setup/links/setup-token.ts';

const CLOSED =
  'Sign-up is closed. The operator of the service decides who can create an organization (SVC_SIGNUP); the first one is created with the set-up link that the service prints at start.';

type Founder = { readonly email: string; readonly setup_token?: string | undefined };
type Deps = Pick<PeopleDeps, 'settings' | 'identity'>;

/** True if the founder uses the operator's set-up link. The operator then vouches for the address. */
export const isOperatorsFounder = async ({ settings: { signup }, identity }: Deps, { setup_token }: Founder): Promise<boolean> =>
  signup !== 'open' || (await isSetupTokenAlive(identity, setup_token));

/** Undefined if the caller may found an organization. */
export const refuseFounding = async (
  { settings: { signup }, identity }: Deps,
  { email, setup_token }: Founder,
): Promise<Refusal<'PERMISSION_DENIED'> | undefined> => {
  if (signup === 'open') return undefined;
  // The demo does not consume the link, so it is only permitted if there is no user: otherwise the link would stay usable.
  const isLetIn = (await isSetupTokenAlive(identity, setup_token)) && !(isDemoAddress(email.toLowerCase()) && (await hasAccount(identity)));
  return isLetIn ? undefined : buildRefusal('PERMISSION_DENIED', CLOSED, { signup });
};

/**
 * Takes the link in the transaction that founds the organization: of several holders the first one wins, and the others are refused here.
 */
export const takeFounding = async (tx: TenantTransaction, deps: Deps, founder: Founder, now: Date) => {
  if (deps.settings.signup !== 'open') await takeSignUpTurn(tx);
  const refused = await refuseFounding(deps, founder);
  if (refused === undefined && !isDemoAddress(founder.email.toLowerCase())) await endSetupLinks(tx, now);
  return refused;
};
