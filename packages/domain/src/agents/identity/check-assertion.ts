import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { checkOperational, type NotOperational } from '../agents/check-operational.ts';
import { statusAt } from '../agents/status-at.ts';
import type { AssertionClaims } from './assertion-claims.ts';
import { checkAssertionWindow } from './assertion-window.ts';

export type AgentSigningKey = { readonly generation: number; readonly public_key: string };

/** The directory's data about an agent. `keys` contains the current key and every retired one. */
export type AgentIdentity = {
  readonly id: string;
  readonly status: AgentStatus;
  /** The end of its permission to act; null if it has none. */
  readonly expires_at: string | null;
  readonly key_generation: number;
  readonly keys: readonly AgentSigningKey[];
};

export type AssertionCheck = {
  /** Null when the assertion could not be read. */
  readonly claims: AssertionClaims | null;
  /** The agent that the request's body names. */
  readonly claimedAgentId: string;
  /** Null if there is no such agent. */
  readonly agent: AgentIdentity | null;
  /** Verifies the bytes as sent. With null there is no key: it takes the time of a verification and returns false. */
  readonly verifySignature: (publicKey: string | null) => boolean;
  /** Accepted audiences. */
  readonly audiences: readonly string[];
  readonly nowMs: number;
  readonly windowSeconds: number;
};

export type AssertionRefusal = Refusal<
  'AGENT_AUTHENTICATION_FAILED' | 'TIMESTAMP_OUT_OF_WINDOW' | 'IDENTITY_GENERATION_STALE' | NotOperational
>;

/** The check that an assertion failed. For the operator's log and metric, never part of a response. */
export type FailedAssertionCheck =
  | 'shape'
  | 'agent_named'
  | 'agent_known'
  | 'key_known'
  | 'signature'
  | 'audience'
  | 'window'
  | 'revocation'
  | 'generation'
  | 'status';

export type CheckedAssertion =
  | { readonly ok: true; readonly claims: AssertionClaims }
  | { readonly ok: false; readonly check: FailedAssertionCheck; readonly refusal: AssertionRefusal };

type Named = Pick<AssertionCheck, 'claims' | 'claimedAgentId' | 'agent'>;

/** Returns the key that an assertion names; null if this agent has no such key. */
export const namedKey = ({ claims, claimedAgentId, agent }: Named): string | null => {
  if (claims === null || agent === null || claims.agent_id !== claimedAgentId || claims.agent_id !== agent.id) return null;
  const generation = claims.generation ?? agent.key_generation;
  return agent.keys.find((key) => key.generation === generation)?.public_key ?? null;
};

/** Which check left no key to verify with. */
const unnamedBy = ({ claims, claimedAgentId, agent }: Named): FailedAssertionCheck => {
  if (claims === null) return 'shape';
  if (claims.agent_id !== claimedAgentId) return 'agent_named';
  return agent === null || claims.agent_id !== agent.id ? 'agent_known' : 'key_known';
};

const failed = (check: FailedAssertionCheck, refused: AssertionRefusal): CheckedAssertion => ({ ok: false, check, refusal: refused });
const stranger = (check: FailedAssertionCheck): CheckedAssertion => failed(check, buildRefusal('AGENT_AUTHENTICATION_FAILED'));

/**
 * Runs all checks on an assertion but the nonce, in their binding order. The caller consumes the nonce only after `ok`, so that a refused
 * assertion uses none up. Until the signature is valid, the result and its cost are the same for any fault; the audience is treated so too.
 */
export const checkAssertion = (check: AssertionCheck): CheckedAssertion => {
  const { claims, agent } = check;
  const publicKey = namedKey(check);
  const genuine = check.verifySignature(publicKey);
  if (claims === null || agent === null || publicKey === null) return stranger(unnamedBy(check));
  if (!genuine) return stranger('signature');
  if (!check.audiences.includes(claims.audience)) return stranger('audience');

  const outOfWindow = checkAssertionWindow(claims, check.nowMs, check.windowSeconds);
  if (outOfWindow !== null) return failed('window', outOfWindow);
  if (agent.status === 'REVOKED') return failed('revocation', buildRefusal('AGENT_IDENTITY_REVOKED'));
  if (claims.generation !== null && claims.generation !== agent.key_generation)
    return failed('generation', buildRefusal('IDENTITY_GENERATION_STALE'));
  const stopped = checkOperational(statusAt(agent, check.nowMs));
  return stopped === null ? { ok: true, claims } : failed('status', stopped);
};
