import type { SignalDefinition } from '../signal.ts';
import { isNewNetwork } from './new-source-address.ts';

const HOUR_MS = 3_600_000;

export const keyJustRotated: SignalDefinition = {
  name: 'key_just_rotated',
  look: (facts) => {
    const { key, nowMs } = facts;
    if (key === null || key.generation <= 1) return undefined;
    const age = nowMs - Date.parse(key.createdAt);
    if (!(age < HOUR_MS)) return undefined;
    const minutes = Math.max(0, Math.floor(age / 60_000));
    const isHigher = isNewNetwork(facts) === true;
    return {
      isHigher,
      subject: `generation ${key.generation}`,
      sentence: `The key of the agent was replaced ${minutes} minutes ago${isHigher ? ', and the request comes from a new network' : ''}.`,
      evidence: { generation: key.generation, replaced_at: key.createdAt },
    };
  },
};
