import type { AgentToken } from '@svc/contract/agents/identity.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { ShapeFault } from '@svc/domain/agents/identity/assertion-claims.ts';
import { type AssertionRefusal, type CheckedAssertion, checkAssertion, namedKey } from '@svc/domain/agents/identity/check-assertion.ts';
import { getAddressGroup } from '@svc/domain/people/auth/address-group.ts';
import { type Asked, failClosed } from '@svc/enforcement/ports/fail-closed.ts';
import { type Current, isSnapshotCurrent, loadCached } from '@svc/enforcement/ports/load-current.ts';
import { type DpopFault, isDpopFault } from '@svc/keyring/tokens/dpop-proof.ts';
import type { ParsedAssertion } from '@svc/keyring/tokens/read-assertion.ts';
import type { GatewayDeps } from '../../../deps.ts';
import { checkProof, PROOF_REQUIRED, refuseProof, spendProof } from '../dpop/prove-possession.ts';
import type { FailedSignInCheck } from '../kept/sign-in-outcomes.ts';
import { beginSession, type ClientLibrary } from './begin-session.ts';
import { buildSessionToken } from './build-grant.ts';
import { spendToken } from './spend-token.ts';

/** A proof of possession of the key of an agent, in either form, and the terms of the token that is requested for it. */
export type Presented = {
  readonly agent_id: string;
  readonly read: ParsedAssertion | ShapeFault;
  readonly sdk: ClientLibrary;
  /** Accepted audiences of the assertion. */
  readonly audiences: readonly string[];
  /** The only endpoint that the token opens; null for the whole gateway. */
  readonly resource: string | null;
  /** The header DPoP, and the path of the request. */
  readonly proof: { readonly text: string | undefined; readonly path: string };
};

/** A request with its time and its ids for logs. */
export type Presenting = Asked & { readonly presented: Presented; readonly now: Date; readonly sourceIp: string };

export type RedeemedAssertion = Current & { readonly grant: AgentToken['data'] };
export type RedeemRefusal = Refusal<
  AssertionRefusal['refused'] | 'NONCE_REPLAYED' | 'RATE_LIMITED' | 'UNPROCESSABLE' | 'IDENTITY_SERVICE_UNAVAILABLE'
>;

const ATTEMPTS_MAX = 8;

/** A refusal with its failed check, which only the operator sees. */
export type RefusedSignIn = { readonly check: FailedSignInCheck; readonly refusal: RedeemRefusal };

const unavailable = (refused: Refusal = buildRefusal('IDENTITY_SERVICE_UNAVAILABLE')): RefusedSignIn => ({
  check: 'availability',
  refusal: refused as RedeemRefusal,
});
const TOO_MANY: RefusedSignIn = {
  check: 'turn',
  refusal: buildRefusal('RATE_LIMITED', 'Too many assertions are being verified at once.', { retry_after_seconds: 1 }),
};

/** Refuses a sign-in to an archived environment like any failed one, so that an agent's key discloses nothing about it. */
const ARCHIVED: RefusedSignIn = { check: 'archived', refusal: buildRefusal('AGENT_AUTHENTICATION_FAILED') };

const check = async (
  deps: GatewayDeps,
  { presented: { agent_id, audiences }, now, sourceIp }: Presenting,
  assertion: ParsedAssertion | null,
  current: Current | undefined,
): Promise<{ readonly isGenuine: boolean; readonly checked: CheckedAssertion } | undefined> => {
  const presented = {
    claims: assertion?.claims ?? null,
    claimedAgentId: agent_id,
    agent: current ? { ...current.agent, id: current.agent.agent_id } : null,
  };
  const isGenuine = await deps.assertions(getAddressGroup(sourceIp), assertion, namedKey(presented));
  if (isGenuine === null) return undefined;
  const checked = checkAssertion({
    ...presented,
    verifySignature: () => isGenuine,
    audiences,
    nowMs: now.getTime(),
    windowSeconds: deps.settings.assertionWindowSeconds,
  });
  return { isGenuine, checked };
};

/** Returns the key that the token is bound to, whose proof is then used up. */
const bindKey = async (
  deps: GatewayDeps,
  presenting: Presenting,
  { agent }: Current,
): Promise<{ readonly jkt: string | null } | RefusedSignIn> => {
  const { presented, now } = presenting;
  const { text, path } = presented.proof;
  const refused = (fault: DpopFault): RefusedSignIn => ({ check: 'proof', refusal: refuseProof(fault) });
  if (text === undefined) return agent.require_dpop ? refused(PROOF_REQUIRED) : { jkt: null };
  const proof = checkProof(deps, { proof: text, method: 'POST', path, now });
  if (isDpopFault(proof)) return refused(proof);
  const spent = await spendProof(deps, presenting, agent.organization_id, proof, now);
  if (spent === undefined) return { jkt: proof.jkt };
  return isRefusal(spent) ? unavailable(spent) : refused(spent);
};

/**
 * Exchanges an assertion for a token. The nonce is used up last, by the row that begins the session; that statement also checks that the
 * agent is unchanged, so a completed rotation or revocation applies here too. Until the proof is verified, its cost counts for the source
 * address, and never for the organization that it names.
 */
export const exchangeAssertion = async (deps: GatewayDeps, presenting: Presenting): Promise<RedeemedAssertion | RefusedSignIn> => {
  const { pipeline } = deps;
  const { presented, now } = presenting;
  const { read, agent_id, sdk, resource } = presented;
  const assertion = 'fault' in read ? null : read;
  const home = await failClosed('IDENTITY_SERVICE_UNAVAILABLE', pipeline, presenting, () => deps.homes(agent_id));
  if (isRefusal(home)) return unavailable(home);
  let jkt: string | null = null;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const current = home && (await loadCached(pipeline, presenting, home.organization_id, agent_id));
    if (isRefusal(current)) return unavailable(current);
    const verified = await check(deps, presenting, assertion, current);
    if (verified === undefined) return TOO_MANY;
    const { isGenuine, checked } = verified;
    if (!checked.ok || current?.environment.is_archived) {
      const refused = checked.ok ? ARCHIVED : checked;
      if (!current) return refused;
      // A refusal from cached state may be outdated; it is only returned if the newest state agrees.
      const stands = await isSnapshotCurrent(pipeline, presenting, current, isGenuine ? undefined : getAddressGroup(presenting.sourceIp));
      if (stands === false) continue;
      return isRefusal(stands) ? unavailable(stands) : refused;
    }
    if (!current) return { check: 'agent_known', refusal: buildRefusal('AGENT_AUTHENTICATION_FAILED') };
    const spent = await spendToken(deps, agent_id);
    if (spent) return { check: 'budget', refusal: spent };
    // A proof is used up once, however often the state of the agent is read.
    if (jkt === null) {
      const bound = await bindKey(deps, presenting, current);
      if ('check' in bound) {
        const stands = await isSnapshotCurrent(pipeline, presenting, current);
        if (stands === false) continue;
        return isRefusal(stands) ? unavailable(stands) : bound;
      }
      jkt = bound.jkt;
    }
    const { id, outcome, expiresAt } = await beginSession(deps, { ...presenting, sdk }, checked.claims.nonce, current);
    if (isRefusal(outcome)) return unavailable(outcome);
    if (outcome === 'replayed') return { check: 'nonce', refusal: buildRefusal('NONCE_REPLAYED') };
    if (outcome === 'begun')
      return {
        ...current,
        grant: buildSessionToken(deps, current, { id, sdkName: sdk.name, now, expiresAt, resource, context: checked.claims.context, jkt }),
      };
    pipeline.governance.forget(current.environment, current.agent);
  }
  return unavailable();
};
