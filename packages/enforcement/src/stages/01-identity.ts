import type { Facts } from '../facts.ts';
import { PASSED, refused, type Stage, type StageAnswer } from '../stage.ts';

/** The key behind the token is still the agent's: not revoked, not rotated since. */
const checkIdentity = ({ agent, session }: Facts): StageAnswer => {
  if (agent.status === 'REVOKED') return refused('AGENT_IDENTITY_REVOKED');
  if (session && session.generation !== agent.key_generation) return refused('IDENTITY_GENERATION_STALE');
  return PASSED;
};

export const identity: Stage = { name: 'identity', relaxedByObserve: false, check: checkIdentity };
