import type { AgentToken } from '@svc/contract/gateway.ts';
import { isRefusal, type Refusal, refusal } from '@svc/contract/refusal.ts';
import { type AssertionRefusal, checkAssertion } from '@svc/domain/agents/check-assertion.ts';
import { failClosed } from '@svc/enforcement/fail-closed.ts';
import { newId } from '@svc/http/new-id.ts';
import { signAgentToken } from '@svc/keyring/agent-token.ts';
import { type ReadAssertion, readAssertion } from '@svc/keyring/read-assertion.ts';
import { sha256Hex } from '@svc/keyring/sha256-hex.ts';
import { verifyAssertion } from '@svc/keyring/verify-assertion.ts';
import type { GatewayDeps } from '../deps.ts';
import { type Current, loadCached, loadCurrent } from './load-current.ts';

type Presented = {
  readonly agent_id: string;
  readonly assertion: string;
  readonly sdk: { readonly name: string; readonly version: string; readonly runtime: string };
};

export type Redeemed = Current & { readonly grant: AgentToken['data'] };
export type RedeemRefusal = Refusal<AssertionRefusal['refused'] | 'NONCE_REPLAYED' | 'RATE_LIMITED' | 'IDENTITY_SERVICE_UNAVAILABLE'>;

const ATTEMPTS_MAX = 8;
const MINUTE_MS = 60_000;

const check = (deps: GatewayDeps, body: Presented, assertion: ReadAssertion | null, current: Current | undefined, now: Date) =>
  checkAssertion({
    claims: assertion?.claims ?? null,
    claimedAgentId: body.agent_id,
    agent: current ? { ...current.agent, id: current.agent.agent_id } : null,
    verifySignature: (publicKey) => verifyAssertion(assertion, publicKey),
    audience: deps.tokenScope.audience,
    nowMs: now.getTime(),
    windowSeconds: deps.settings.assertionWindowSeconds,
  });

/** Only a genuine assertion counts, so that nobody spends another agent's budget. */
const spend = async (deps: GatewayDeps, agentId: string): Promise<Refusal<'RATE_LIMITED'> | undefined> => {
  const budget = await deps.rateLimiter.take(`token:${agentId}`, deps.settings.rates.gatewayTokenPerMinute, MINUTE_MS);
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

const grantOf = (deps: GatewayDeps, { agent }: Current, sessionId: string, now: Date, expiresAt: string): AgentToken['data'] => {
  const lifetime = deps.settings.agentTokenLifetimeSeconds;
  const subject = {
    agent_id: agent.agent_id,
    session_id: sessionId,
    organization_id: agent.organization_id,
    environment_id: agent.environment_id,
    key_generation: agent.key_generation,
    session_series: agent.session_series,
  };
  return {
    token: signAgentToken(deps.platformKeys.keys, deps.tokenScope, subject, now.getTime(), lifetime),
    token_type: 'Bearer',
    expires_in: lifetime,
    expires_at: expiresAt,
    agent_id: agent.agent_id,
    environment_id: agent.environment_id,
    organization_id: agent.organization_id,
  };
};

/**
 * Exchanges an assertion for a token. The nonce is used up last, by the row that begins the session; that row also asks whether the
 * agent is still the one that was checked, so a rotation or revocation that has answered is obeyed here too.
 */
export const redeemAssertion = async (deps: GatewayDeps, body: Presented, now: Date): Promise<Redeemed | RedeemRefusal> => {
  const { pipeline } = deps;
  const assertion = readAssertion(body.assertion);
  const home = await failClosed('IDENTITY_SERVICE_UNAVAILABLE', pipeline.onBreakage, () => deps.homes(body.agent_id));
  if (isRefusal(home)) return home as RedeemRefusal;
  let load = loadCached;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const current = home && (await load(pipeline, home.organization_id, body.agent_id));
    if (isRefusal(current)) return current as RedeemRefusal;
    const checked = check(deps, body, assertion, current, now);
    if (isRefusal(checked)) {
      // A refusal on cached state may be out of date; it is only told when the newest state says the same.
      if (!current || load === loadCurrent) return checked;
      load = loadCurrent;
      continue;
    }
    if (!current) return refusal('AGENT_AUTHENTICATION_FAILED');
    const spent = await spend(deps, body.agent_id);
    if (spent) return spent;
    const { id, outcome, expiresAt } = await beginSession(deps, body, checked.claims.nonce, current, now);
    if (isRefusal(outcome)) return outcome as RedeemRefusal;
    if (outcome === 'replayed') return refusal('NONCE_REPLAYED');
    if (outcome === 'begun') return { ...current, grant: grantOf(deps, current, id, now, expiresAt) };
    pipeline.governance.forget(current.environment, current.agent);
  }
  return refusal('IDENTITY_SERVICE_UNAVAILABLE');
};
