import type { AgentToken } from '@svc/contract/gateway.ts';
import { isId } from '@svc/contract/ids.ts';
import { isRefusal, type Refusal, refusal } from '@svc/contract/refusal.ts';
import { type AssertionRefusal, type CheckedAssertion, checkAssertion, namedKey } from '@svc/domain/agents/check-assertion.ts';
import { failClosed } from '@svc/enforcement/fail-closed.ts';
import { newId } from '@svc/http/new-id.ts';
import type { NotedFacts } from '@svc/http/new-logger.ts';
import { type ReadAssertion, readAssertion } from '@svc/keyring/read-assertion.ts';
import { sha256Hex } from '@svc/keyring/sha256-hex.ts';
import type { GatewayDeps } from '../deps.ts';
import { grantOf } from './grant-of.ts';
import { type Current, loadCached, stillStands } from './load-current.ts';
import { onTheBeat } from './on-the-beat.ts';
import type { FailedSignInCheck } from './sign-in-outcomes.ts';

type Presented = {
  readonly agent_id: string;
  readonly assertion: string;
  readonly sdk: { readonly name: string; readonly version: string; readonly runtime: string };
};
type SignInCall = { readonly body: Presented; readonly now: Date; readonly note: (facts: NotedFacts) => void };

export type Redeemed = Current & { readonly grant: AgentToken['data'] };
export type RedeemRefusal = Refusal<AssertionRefusal['refused'] | 'NONCE_REPLAYED' | 'RATE_LIMITED' | 'IDENTITY_SERVICE_UNAVAILABLE'>;

const ATTEMPTS_MAX = 8;
const MINUTE_MS = 60_000;

/** A refusal with the check it comes from, which is told to nobody but the operator. */
type RefusedSignIn = { readonly check: FailedSignInCheck; readonly refusal: RedeemRefusal };

const unavailable = (refused: Refusal = refusal('IDENTITY_SERVICE_UNAVAILABLE')): RefusedSignIn => ({
  check: 'availability',
  refusal: refused as RedeemRefusal,
});
const TOO_MANY: RefusedSignIn = {
  check: 'turn',
  refusal: refusal('RATE_LIMITED', 'Too many assertions are being verified at once.', { retry_after_seconds: 1 }),
};
const OTHER_AGENT = 'The assertion is of another agent than agent_id names.';

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

const beginSession = async (deps: GatewayDeps, body: Presented, nonce: string, current: Current, now: Date) => {
  const { agent } = current;
  const lifetime = deps.settings.agentTokenLifetimeSeconds;
  const expiresAt = new Date(now.getTime() + lifetime * 1000).toISOString();
  const id = newId('session');
  const outcome = await failClosed('IDENTITY_SERVICE_UNAVAILABLE', deps.pipeline.onBreakage, () =>
    deps.recorder.beginSession({
      organization_id: agent.organization_id,
      id,
      agent_id: agent.agent_id,
      nonce_hash: sha256Hex(nonce),
      generation: agent.key_generation,
      series: agent.session_series,
      agent_epoch: agent.epoch,
      sdk: body.sdk,
      created_at: now.toISOString(),
      expires_at: expiresAt,
    }),
  );
  return { id, outcome, expiresAt };
};

const redeem = async (deps: GatewayDeps, body: Presented, now: Date): Promise<Redeemed | RefusedSignIn> => {
  const { pipeline } = deps;
  const read = readAssertion(body.assertion);
  const assertion = 'fault' in read ? null : read;
  const home = await failClosed('IDENTITY_SERVICE_UNAVAILABLE', pipeline.onBreakage, () => deps.homes(body.agent_id));
  if (isRefusal(home)) return unavailable(home);
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const current = home && (await loadCached(pipeline, home.organization_id, body.agent_id));
    if (isRefusal(current)) return unavailable(current);
    const checked = await check(deps, body, assertion, current, now);
    if (checked === undefined) return TOO_MANY;
    if (!checked.ok) {
      if (!current) return checked;
      // A refusal on cached state may be out of date; it is only told when the newest state is the same.
      const stands = await stillStands(pipeline, current);
      if (stands === false) continue;
      return isRefusal(stands) ? unavailable(stands) : checked;
    }
    if (!current) return { check: 'agent_known', refusal: refusal('AGENT_AUTHENTICATION_FAILED') };
    const spent = await spend(deps, body.agent_id);
    if (spent) return { check: 'budget', refusal: spent };
    const { id, outcome, expiresAt } = await beginSession(deps, body, checked.claims.nonce, current, now);
    if (isRefusal(outcome)) return unavailable(outcome);
    if (outcome === 'replayed') return { check: 'nonce', refusal: refusal('NONCE_REPLAYED') };
    if (outcome === 'begun') return { ...current, grant: grantOf(deps, current, { id, sdkName: body.sdk.name, now, expiresAt }) };
    pipeline.governance.forget(current.environment, current.agent);
  }
  return unavailable();
};

/** What is wrong by the shape of what was sent alone, which may be said: it depends on nothing else. */
const shapeFault = (failed: FailedSignInCheck, body: Presented): string | undefined => {
  if (failed === 'agent_named') return OTHER_AGENT;
  const read = failed === 'shape' ? readAssertion(body.assertion) : undefined;
  return read && 'fault' in read ? read.fault : undefined;
};

/**
 * Exchanges an assertion for a token. The nonce is used up last, by the row that begins the session; that row also asks whether the
 * agent is still the one that was checked, so a rotation or revocation that has answered is obeyed here too.
 * Who is not who they say they are learns nothing from the time it took to find out, and from the answer only what they sent themselves.
 */
export const redeemAssertion = async (deps: GatewayDeps, { body, now, note }: SignInCall): Promise<Redeemed | RedeemRefusal> => {
  const startedAt = performance.now();
  const redeemed = await redeem(deps, body, now);
  deps.signIns.count('refusal' in redeemed ? redeemed.check : 'passed');
  if (!('refusal' in redeemed)) return redeemed;
  // Whatever is no agent's id is not written down: people paste secrets where ids belong.
  note({ agent_id: isId('agent', body.agent_id) ? body.agent_id : null, check: redeemed.check });
  if (redeemed.refusal.refused !== 'AGENT_AUTHENTICATION_FAILED') return redeemed.refusal;
  const fault = shapeFault(redeemed.check, body);
  return onTheBeat(startedAt, fault === undefined ? redeemed.refusal : { ...redeemed.refusal, details: { fault } });
};
