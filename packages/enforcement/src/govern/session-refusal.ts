import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { statusAt } from '@svc/domain/agents/agents/status-at.ts';
import type { SessionFacts } from '../facts/facts.ts';
import type { AgentSnapshot } from '../facts/snapshots.ts';

export type SessionRefusal = Refusal<'AGENT_IDENTITY_REVOKED' | 'IDENTITY_GENERATION_STALE' | 'AGENT_TOKEN_EXPIRED'>;

/** Returns why the session of a token has ended; undefined while it is alive. */
export const findSessionRefusal = (
  agent: AgentSnapshot,
  session: Omit<SessionFacts, 'context'>,
  nowMs: number,
): SessionRefusal | undefined => {
  if (agent.status === 'REVOKED') return buildRefusal('AGENT_IDENTITY_REVOKED');
  if (agent.key_generation !== session.generation) return buildRefusal('IDENTITY_GENERATION_STALE');
  // The sessions of an agent end at its expiry, whenever that is recorded.
  const isOver = statusAt(agent, nowMs) === 'EXPIRED';
  return isOver || agent.session_series !== session.series || agent.ended_sessions.has(session.id)
    ? buildRefusal('AGENT_TOKEN_EXPIRED', 'This session has ended. Sign in again with a new assertion.')
    : undefined;
};
