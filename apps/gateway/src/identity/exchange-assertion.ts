import type { AgentToken } from '@svc/contract/gateway.ts';
import { isRefusal, type Refusal, refusal } from '@svc/contract/refusal.ts';
import { type AssertionRefusal, type CheckedAssertion, checkAssertion, namedKey } from '@svc/domain/agents/check-assertion.ts';
import { type Asked, failClosed } from '@svc/enforcement/fail-closed.ts';
import { type ReadAssertion, readAssertion } from '@svc/keyring/read-assertion.ts';
import type { GatewayDeps } from '../deps.ts';
import { beginSession, type ClientLibrary } from './begin-session.ts';
import { grantOf } from './grant-of.ts';
import { type Current, loadCached, stillStands } from './load-current.ts';
import type { FailedSignInCheck } from './sign-in-outcomes.ts';

export type Presented = {
  readonly agent_id: string;
  readonly assertion: string;
  readonly sdk: ClientLibrary;
};

/** Of a call: what it brings, when, and how it is found again. */
export type Presenting = Asked & { readonly body: Presented; readonly now: Date };

export type Redeemed = Current & { readonly grant: AgentToken['data'] };
export type RedeemRefusal = Refusal<AssertionRefusal['refused'] | 'NONCE_REPLAYED' | 'RATE_LIMITED' | 'IDENTITY_SERVICE_UNAVAILABLE'>;

const ATTEMPTS_MAX = 8;
const MINUTE_MS = 60_000;

/** A refusal with the check it comes from, which is told to nobody but the operator. */
export type RefusedSignIn = { readonly check: FailedSignInCheck; readonly refusal: RedeemRefusal };

const unavailable = (refused: Refusal = refusal('IDENTITY_SERVICE_UNAVAILABLE')): RefusedSignIn => ({
  check: 'availability',
  refusal: refused as RedeemRefusal,
});
const TOO_MANY: RefusedSignIn = {
  check: 'turn',
  refusal: refusal('RATE_LIMITED', 'Too many assertions are being verified at once.', { retry_after_seconds: 1 }),
};

const check = async (
  deps: GatewayDeps,
  body: Presented,
  assertion: ReadAssertion | null,
  current: Current | undefined,
  now: Date,
): Promise<CheckedAssertion | undefined> => {
  const presented = {
    claims: assertion?.claims ?? null,
    claimedAgentId: body.agent_id,
    agent: current ? { ...current.agent, id: current.agent.agent_id } : null,
  };
  const isGenuine = await deps.assertions(assertion, namedKey(presented));
  if (isGenuine === null) return undefined;
  return checkAssertion({
    ...presented,
    verifySignature: () => isGenuine,
    audience: deps.tokenScope.audience,
    nowMs: now.getTime(),
    windowSeconds: deps.settings.assertionWindowSeconds,
  });
};

/** Only a genuine assertion counts, so that nobody spends another agent's budget. */
const spend = async (deps: GatewayDeps, agentId: string): Promise<Refusal<'RATE_LIMITED'> | undefined> => {
  const own = { key: `token:${agentId}`, limit: deps.settings.rates.gatewayTokenPerMinute };
  const budget = await deps.rateLimiter.take(own, MINUTE_MS);
  return budget.allowed ? undefined : refusal('RATE_LIMITED', undefined, { retry_after_seconds: Math.max(1, budget.resetSeconds) });
};

/**
 * Exchanges an assertion for a token. The nonce is used up last, by the row that begins the session; that row also asks whether the
 * agent is still the one that was checked, so a rotation or revocation that has answered is obeyed here too.
 */
export const exchangeAssertion = async (deps: GatewayDeps, presenting: Presenting): Promise<Redeemed | RefusedSignIn> => {
  const { pipeline } = deps;
  const { body, now } = presenting;
  const read = readAssertion(body.assertion);
  const assertion = 'fault' in read ? null : read;
  const home = await failClosed('IDENTITY_SERVICE_UNAVAILABLE', pipeline, presenting, () => deps.homes(body.agent_id));
  if (isRefusal(home)) return unavailable(home);
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const current = home && (await loadCached(pipeline, presenting, home.organization_id, body.agent_id));
    if (isRefusal(current)) return unavailable(current);
    const checked = await check(deps, body, assertion, current, now);
    if (checked === undefined) return TOO_MANY;
    if (!checked.ok) {
      if (!current) return checked;
      // A refusal on cached state may be out of date; it is only told when the newest state is the same.
      const stands = await stillStands(pipeline, presenting, current);
      if (stands === false) continue;
      return isRefusal(stands) ? unavailable(stands) : checked;
    }
    if (!current) return { check: 'agent_known', refusal: refusal('AGENT_AUTHENTICATION_FAILED') };
    const spent = await spend(deps, body.agent_id);
    if (spent) return { check: 'budget', refusal: spent };
    const { id, outcome, expiresAt } = await beginSession(deps, { ...presenting, sdk: body.sdk }, checked.claims.nonce, current);
    if (isRefusal(outcome)) return unavailable(outcome);
    if (outcome === 'replayed') return { check: 'nonce', refusal: refusal('NONCE_REPLAYED') };
    if (outcome === 'begun') return { ...current, grant: grantOf(deps, current, { id, sdkName: body.sdk.name, now, expiresAt }) };
    pipeline.governance.forget(current.environment, current.agent);
  }
  return unavailable();
};
