import type { AgentToken } from '@svc/contract/gateway.ts';
import { isRefusal, type Refusal, refusal } from '@svc/contract/refusal.ts';
import { type AssertionRefusal, checkAssertion, namedKey } from '@svc/domain/agents/check-assertion.ts';
import { type Asked, failClosed } from '@svc/enforcement/fail-closed.ts';
import { newId } from '@svc/http/new-id.ts';
import { type ReadAssertion, readAssertion } from '@svc/keyring/read-assertion.ts';
import { sha256Hex } from '@svc/keyring/sha256-hex.ts';
import type { GatewayDeps } from '../deps.ts';
import { grantOf } from './grant-of.ts';
import { type Current, loadCached, stillStands } from './load-current.ts';
import { onTheBeat } from './on-the-beat.ts';

type Presented = {
  readonly agent_id: string;
  readonly assertion: string;
  readonly sdk: { readonly name: string; readonly version: string; readonly runtime: string };
};

/** Of a call: what it brings, when, and how it is found again. */
type Presenting = Asked & { readonly body: Presented; readonly now: Date };

export type Redeemed = Current & { readonly grant: AgentToken['data'] };
export type RedeemRefusal = Refusal<AssertionRefusal['refused'] | 'NONCE_REPLAYED' | 'RATE_LIMITED' | 'IDENTITY_SERVICE_UNAVAILABLE'>;

const ATTEMPTS_MAX = 8;
const MINUTE_MS = 60_000;

const TOO_MANY = refusal('RATE_LIMITED', 'Too many assertions are being verified at once.', { retry_after_seconds: 1 });

const check = async (deps: GatewayDeps, body: Presented, assertion: ReadAssertion | null, current: Current | undefined, now: Date) => {
  const presented = {
    claims: assertion?.claims ?? null,
    claimedAgentId: body.agent_id,
    agent: current ? { ...current.agent, id: current.agent.agent_id } : null,
  };
  const isGenuine = await deps.assertions(assertion, namedKey(presented));
  if (isGenuine === null) return TOO_MANY;
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

const beginSession = async (deps: GatewayDeps, presenting: Presenting, nonce: string, current: Current) => {
  const { body, now } = presenting;
  const { agent } = current;
  const lifetime = deps.settings.agentTokenLifetimeSeconds;
  const expiresAt = new Date(now.getTime() + lifetime * 1000).toISOString();
  const id = newId('session');
  const outcome = await failClosed('IDENTITY_SERVICE_UNAVAILABLE', deps.pipeline, presenting, () =>
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

const redeem = async (deps: GatewayDeps, presenting: Presenting): Promise<Redeemed | RedeemRefusal> => {
  const { pipeline } = deps;
  const { body, now } = presenting;
  const assertion = readAssertion(body.assertion);
  const home = await failClosed('IDENTITY_SERVICE_UNAVAILABLE', pipeline, presenting, () => deps.homes(body.agent_id));
  if (isRefusal(home)) return home as RedeemRefusal;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const current = home && (await loadCached(pipeline, presenting, home.organization_id, body.agent_id));
    if (isRefusal(current)) return current as RedeemRefusal;
    const checked = await check(deps, body, assertion, current, now);
    if (isRefusal(checked)) {
      if (!current || checked === TOO_MANY) return checked;
      // A refusal on cached state may be out of date; it is only told when the newest state is the same.
      const stands = await stillStands(pipeline, presenting, current);
      if (stands === false) continue;
      return isRefusal(stands) ? (stands as RedeemRefusal) : checked;
    }
    if (!current) return refusal('AGENT_AUTHENTICATION_FAILED');
    const spent = await spend(deps, body.agent_id);
    if (spent) return spent;
    const { id, outcome, expiresAt } = await beginSession(deps, presenting, checked.claims.nonce, current);
    if (isRefusal(outcome)) return outcome as RedeemRefusal;
    if (outcome === 'replayed') return refusal('NONCE_REPLAYED');
    if (outcome === 'begun') return { ...current, grant: grantOf(deps, current, { id, sdkName: body.sdk.name, now, expiresAt }) };
    pipeline.governance.forget(current.environment, current.agent);
  }
  return refusal('IDENTITY_SERVICE_UNAVAILABLE');
};

/**
 * Exchanges an assertion for a token. The nonce is used up last, by the row that begins the session; that row also asks whether the
 * agent is still the one that was checked, so a rotation or revocation that has answered is obeyed here too.
 * Who is not who they say they are learns nothing from the time it took to find out.
 */
export const redeemAssertion = async (deps: GatewayDeps, presenting: Presenting): Promise<Redeemed | RedeemRefusal> => {
  const startedAt = performance.now();
  const redeemed = await redeem(deps, presenting);
  return isRefusal(redeemed) && redeemed.refused === 'AGENT_AUTHENTICATION_FAILED' ? onTheBeat(startedAt, redeemed) : redeemed;
};
