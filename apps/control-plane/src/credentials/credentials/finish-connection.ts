import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { findNetworkRefusal } from '@svc/http/admission/networks.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { buildSetCookie, getCookieName } from '@svc/http/calls/cookies.ts';
import type { StaticPage } from '@svc/http/wires/page.ts';
import { hashSecret } from '@svc/keyring/tokens/secret-token.ts';
import { exchangeCode } from '@svc/operations/credentials/tokens/exchange-code.ts';
import { keepConnection } from '@svc/operations/credentials/tokens/keep-connection.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { takeConnectionAttempt } from '@svc/postgres/credentials/tokens/attempts.ts';
import { readOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import type { CredentialsDeps } from '../deps.ts';
import { formatCredential } from './formats/format-credential.ts';
import { CONNECT_COOKIE, derivePkceVerifier } from './oauth/authorization-url.ts';
import { buildRedirectUri } from './oauth/connection-callback.ts';
import { getReturnedParameters } from './oauth/returned-parameters.ts';

type Finish = Call<Endpoints['finishConnection']>;

const GONE = 'This connection is complete, older than ten minutes, or was started in another browser. Start a new one.';
const WELL_FORMED = /^[0-9a-f]{64}$/;
const DONE = Buffer.from('The application is connected. You may close this window.\n', 'utf8');

/** Takes an attempt once. The browser presents the secret it got at the start together with the state. */
const takeReturn = async (call: Finish, { identity, urls }: CredentialsDeps) => {
  const { params, query, now } = call;
  const browser = call.cookie(getCookieName(CONNECT_COOKIE, urls.base.startsWith('https:'))) ?? '';
  const { state } = query as { readonly state?: unknown };
  if (typeof state !== 'string' || !WELL_FORMED.test(state) || !WELL_FORMED.test(browser)) return undefined;
  const hashes = { state_hash: hashSecret(state), browser_hash: hashSecret(browser) };
  const attempt = await takeConnectionAttempt(identity, { ...hashes, credential_id: params.credentialId }, now);
  const isHere = attempt?.redirect_uri === buildRedirectUri(urls.base, params.credentialId);
  return isHere ? { attempt, state, verifier: derivePkceVerifier(browser, state) } : undefined;
};

const answered = (call: Finish, told: unknown): StaticPage =>
  call.wantsHtml()
    ? { type: 'text/plain; charset=utf-8', bytes: DONE }
    : { type: 'application/json; charset=utf-8', bytes: Buffer.from(JSON.stringify(told), 'utf8') };

/** No session is presented here, so the allowed networks of the organization are checked as they are for a session. */
const outsideOf = async (call: Finish, organization_id: string) => {
  const { allowed_networks } = await readInTenant(call.database, { organization_id }, (tx) => readOrganization(tx, organization_id));
  return findNetworkRefusal({ networks: [allowed_networks] }, call.sourceIp);
};

/** Completes a connection: stores the granted tokens for the credential. */
export const finishConnection: Handler<Endpoints['finishConnection'], CredentialsDeps> = async (call, deps) => {
  const unsure = deps.clock.refusal();
  if (unsure) return unsure;
  const taken = await takeReturn(call, deps);
  if (!taken) return call.refuse('GONE', GONE);
  const { attempt, state, verifier } = taken;
  const secure = deps.urls.base.startsWith('https:');
  call.setCookie(buildSetCookie(CONNECT_COOKIE, '', { maxAgeSeconds: 0, secure }));
  const outside = await outsideOf(call, attempt.organization_id);
  if (outside) return outside;
  const desk = deps.tokens;
  const returned = { parameters: getReturnedParameters(call.query), state, verifier };
  const exchanged = await exchangeCode(desk, attempt, returned, call.now);
  if (isRefusal(exchanged)) return exchanged;
  const told = await call.change(
    async (change) => {
      const after = await keepConnection(change, desk, { attempt, ...exchanged }, call.now);
      if (isRefusal(after)) return after;
      return formatCredential(change.tx, attempt.organization_id, after, { now: call.now, baseUrl: deps.urls.base });
    },
    undefined,
    { scope: { organization_id: attempt.organization_id }, actor: { type: 'USER', id: attempt.user_id, name: null } },
  );
  return isRefusal(told) ? told : answered(call, told);
};
