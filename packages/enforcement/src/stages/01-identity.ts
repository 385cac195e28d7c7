import type { Facts } from '../facts/facts.ts';
import { defineStage, PASSED, refuseStage, type StageAnswer } from '../facts/stage.ts';

const REFUSES = ['AGENT_IDENTITY_REVOKED', 'IDENTITY_GENERATION_STALE'] as const;
type Answer = StageAnswer<(typeof REFUSES)[number]>;

/** Checks that the key behind the token is still the agent's: not revoked, not rotated since. */
export const checkIdentity = ({ agent, session }: Pick<Facts, 'agent' | 'session'>): Answer => {
  if (agent.status === 'REVOKED') return refuseStage('AGENT_IDENTITY_REVOKED');
  if (session && session.generation !== agent.key_generation) return refuseStage('IDENTITY_GENERATION_STALE');
  return PASSED;
};

export const identity = defineStage({ name: 'identity', relaxedByObserve: false, refuses: REFUSES, check: checkIdentity });
