import type { AgentToken } from '@svc/contract/gateway.ts';
import { isRefusal, type Refusal, refusal } from '@svc/contract/refusal.ts';
import { type AssertionRefusal, checkAssertion, namedKey } from '@svc/domain/agents/check-assertion.ts';
import { addressGroup } from '@svc/domain/people/address-group.ts';
import { failClosed } from '@svc/enforcement/fail-closed.ts';
import { newId } from '@svc/http/new-id.ts';
import { type ReadAssertion, readAssertion } from '@svc/keyring/read-assertion.ts';
import { sha256Hex } from '@svc/keyring/sha256-hex.ts';
import type { GatewayDeps } from '../deps.ts';
import { grantOf } from './grant-of.ts';
import { type Current, loadCached, stillStands } from './load-current.ts';
import { onTheBeat } from './on-the-beat.ts';
import { spendToken } from './spend-token.ts';

type Presented = {
  readonly agent_id: string;
  readonly assertion: string;
  readonly sdk: { readonly name: string; readonly version: string; readonly runtime: string };
};

export type Redeemed = Current & { readonly grant: AgentToken['data'] };
export type RedeemRefusal = Refusal<AssertionRefusal['refused'] | 'NONCE_REPLAYED' | 'RATE_LIMITED' | 'IDENTITY_SERVICE_UNAVAILABLE'>;

const ATTEMPTS_MAX = 8;

const TOO_MANY = refusal('RATE_LIMITED', 'Too many assertions are being verified at once.', { retry_after_seconds: 1 });

/** When an assertion was presented, and where it came from, as far as one person cannot easily change that. */
type Presentation = { readonly now: Date; readonly source: string };

const check = async (
  deps: GatewayDeps,
  body: Presented,
  assertion: ReadAssertion | null,
  current: Current | undefined,
  { now, source }: Presentation,
) => {
  const presented = {
    claims: assertion?.claims ?? null,
    claimedAgentId: body.agent_id,
    agent: current ? { ...current.agent, id: current.agent.agent_id } : null,
  };
  const isGenuine = await deps.assertions(source, assertion, namedKey(presented));
  if (isGenuine === null) return { isGenuine: false, outcome: TOO_MANY };
  const outcome = checkAssertion({
    ...presented,
    verifySignature: () => isGenuine,
    audience: deps.tokenScope.audience,
    nowMs: now.getTime(),
    windowSeconds: deps.settings.assertionWindowSeconds,
  });
  return { isGenuine, outcome };
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

const redeem = async (deps: GatewayDeps, body: Presented, presentation: Presentation): Promise<Redeemed | RedeemRefusal> => {
  const { pipeline } = deps;
  const { now, source } = presentation;
  const assertion = readAssertion(body.assertion);
  const home = await failClosed('IDENTITY_SERVICE_UNAVAILABLE', pipeline.onBreakage, () => deps.homes(body.agent_id));
  if (isRefusal(home)) return home as RedeemRefusal;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const current = home && (await loadCached(pipeline, home.organization_id, body.agent_id));
    if (isRefusal(current)) return current as RedeemRefusal;
    const { isGenuine, outcome: checked } = await check(deps, body, assertion, current, presentation);
    if (isRefusal(checked)) {
      if (!current || checked === TOO_MANY) return checked;
      // A refusal on cached state may be out of date; it is only told when the newest state is the same.
      const stands = await stillStands(pipeline, current, isGenuine ? undefined : source);
      if (stands === false) continue;
      return isRefusal(stands) ? (stands as RedeemRefusal) : checked;
    }
    if (!current) return refusal('AGENT_AUTHENTICATION_FAILED');
    const spent = await spendToken(deps, body.agent_id);
    if (spent) return spent;
    const { id, outcome, expiresAt } = await beginSession(deps, body, checked.claims.nonce, current, now);
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
 * Until the proof holds, whatever it costs is the share of where it came from, and never of the organization it names.
 * Who is not who they say they are learns nothing from the time it took to find out.
 */
export const redeemAssertion = async (
  deps: GatewayDeps,
  body: Presented,
  { now, sourceIp }: { readonly now: Date; readonly sourceIp: string },
): Promise<Redeemed | RedeemRefusal> => {
  const startedAt = performance.now();
  const redeemed = await redeem(deps, body, { now, source: addressGroup(sourceIp) });
  return isRefusal(redeemed) && redeemed.refused === 'AGENT_AUTHENTICATION_FAILED' ? onTheBeat(startedAt, redeemed) : redeemed;
};
