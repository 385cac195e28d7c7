import type { Endpoints } from '@svc/contract/endpoints.ts';
import { NOBODYS_ORGANIZATION } from '@svc/contract/people/nobodys-organization.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getAddressDomain } from '@svc/domain/people/sso/address-domain.ts';
import { returnPath } from '@svc/domain/people/sso/return-path.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { randomHex } from '@svc/keyring/bytes/random-hex.ts';
import { hashSecret } from '@svc/keyring/tokens/secret-token.ts';
import { insertAttempt } from '@svc/postgres/people/sso/attempts.ts';
import { findUsableConnection, type WantedConnection } from '@svc/postgres/people/sso/find-connection.ts';
import type { PeopleDeps } from '../deps.ts';
import { redirect } from './sign-in/answers.ts';
import { begin, isBegun } from './sign-in/begin.ts';

type Start = Endpoints['startSso'];

const getText = (value: unknown): string | undefined => (typeof value === 'string' && value.length <= 254 ? value : undefined);

/** Returns the first parameter that is present; `none` is no domain and leads nowhere. */
const wantedOf = (query: Readonly<Record<string, unknown>>): WantedConnection | undefined => {
  const [connection_id, organization_id, domain, email] = ['connection_id', 'organization_id', 'domain', 'email'].map((name) =>
    getText(query[name]),
  );
  if (connection_id !== undefined) return { connection_id };
  if (organization_id !== undefined) return { organization_id };
  if (domain !== undefined) return { domain: domain.toLowerCase() };
  return email === undefined ? undefined : { domain: getAddressDomain(email) ?? 'none' };
};

/** Prevents login forgery: a provider that knows the user would sign them in without asking. */
const SENT = 'Another site sent your browser here. To sign in, follow a link yourself, or open the sign-in page.';
const NOWHERE =
  'Single sign-on is not set up for this name. Sign in with your password or passkey, or ask an administrator of your organization.';

/** Stores an attempt that leads nowhere like a real one, so that both take the same steps. */
const keepNothing = async ({ identity }: PeopleDeps, now: Date): Promise<void> => {
  const nothing = {
    organization_id: NOBODYS_ORGANIZATION,
    connection_id: 'none',
    redirect_uri: '',
    link_user_id: null,
    link_session_id: null,
    request_hash: null,
  };
  const secrets = { state_hash: hashSecret(randomHex(32)), browser_hash: hashSecret(randomHex(32)) };
  await insertAttempt(identity, { ...nothing, ...secrets, return_to: null }, now, LIMITS.sso.attemptSeconds);
};

export const startSso: Handler<Start, PeopleDeps> = async (call, deps) => {
  if (call.isSentByOthers()) return call.refuse('PERMISSION_DENIED', SENT);
  const wanted = wantedOf(call.query);
  if (wanted === undefined) return call.refuse('INVALID_REQUEST', 'Send connection_id, organization_id, domain or email.');
  const connection = await findUsableConnection(deps.identity, wanted);
  if (!connection) {
    await keepNothing(deps, call.now);
    return call.refuse('NOT_FOUND', NOWHERE);
  }
  const return_to = returnPath(getText(call.query.return_to)) ?? null;
  const begun = await begin(deps, connection, { link_user_id: null, link_session_id: null, return_to, now: call.now });
  if (!isBegun(begun)) return call.refuse('DEPENDENCY_UNAVAILABLE', `Single sign-on is not possible now. ${begun.fault}`);
  call.setCookie(begun.cookie);
  return redirect(begun.url);
};
