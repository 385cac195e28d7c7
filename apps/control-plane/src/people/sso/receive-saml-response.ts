import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { constantTimeEqual } from '@svc/keyring/bytes/constant-time-equal.ts';
import { hashSecret } from '@svc/keyring/tokens/secret-token.ts';
import { getAcsUrl } from '@svc/operations/people/sso/addresses.ts';
import { refuseUnverifiedResponse, SYSTEM } from '@svc/operations/people/sso/refuse-unverified-response.ts';
import { keepAnswer, takeUpAnswer } from '@svc/postgres/people/sso/attempts.ts';
import { findUsableConnection } from '@svc/postgres/people/sso/find-connection.ts';
import type { PeopleDeps } from '../deps.ts';
import { redeemResponse } from './saml/redeem-response.ts';
import { redirect } from './sign-in/answers.ts';
import { GONE } from './sign-in/take-return.ts';

type Receive = Endpoints['receiveSamlResponse'];

/** Takes the attempt of a response once, before a byte of the response is parsed. */
const takeUp = async (call: Call<Receive>, { identity, urls }: PeopleDeps) => {
  const { RelayState: state } = call.body;
  if (!state) return undefined;
  const state_hash = hashSecret(state);
  const attempt = await takeUpAnswer(identity, { state_hash, redirect_uri: getAcsUrl(urls.base, call.params.connectionId) }, call.now);
  const connection = attempt && (await findUsableConnection(identity, { connection_id: attempt.connection_id }));
  return attempt && connection?.kind === 'SAML' ? { attempt, connection, state, state_hash } : undefined;
};

const recordFailure = (call: Call<Receive>, organization_id: string, why: string) => {
  call.note({ check: why });
  return call.change((change) => refuseUnverifiedResponse(change, { sourceIp: call.sourceIp, why }), undefined, {
    scope: { organization_id },
    actor: SYSTEM,
  });
};

/**
 * Receives a SAML response. A cross-site form post carries no cookie of the browser that began, so it signs no one in. The response is
 * verified and stored sealed for that browser, which is redirected to fetch it.
 */
export const receiveSamlResponse: Handler<Receive, PeopleDeps> = async (call, deps) => {
  const unsure = deps.clock.refusal();
  if (unsure) return unsure;
  const taken = deps.sso.saml ? await takeUp(call, deps) : undefined;
  if (!taken) return GONE;
  const { attempt, connection, state, state_hash } = taken;
  const redeemed = await redeemResponse(connection, {
    samlResponse: call.body.SAMLResponse,
    baseUrl: deps.urls.base,
    isOurRequest: (id) => constantTimeEqual(hashSecret(id), attempt.request_hash),
    now: call.now,
  });
  const { organization_id } = attempt;
  if (redeemed.kind === 'refused')
    return call.refuse('PERMISSION_DENIED', 'The provider did not sign you in. Start again, or ask the administrator of the provider.');
  if (redeemed.kind === 'unbelievable') return recordFailure(call, organization_id, redeemed.why);
  const isKept = await keepAnswer(
    deps.identity,
    {
      ...{ organization_id, connection_id: connection.id, state_hash, assertion_ends: redeemed.ends },
      assertion_hash: hashSecret(redeemed.assertionId),
      sealed_answer: deps.sso.sealAnswer(JSON.stringify(redeemed.claims), state_hash),
    },
    call.now,
    LIMITS.sso.samlAnswerSeconds,
  );
  if (!isKept) return recordFailure(call, organization_id, 'saml: an assertion that was used before');
  return redirect(`${getAcsUrl(deps.urls.base, connection.id)}?${new URLSearchParams({ state })}`);
};
