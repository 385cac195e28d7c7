import { computeUnusualBound, countRecent } from '../../conduct/baseline.ts';
import { CALLS_FLOOR, computeSlot } from '../../conduct/conduct.ts';
import { type SignalDefinition, UNKNOWN } from '../signal.ts';

export const velocitySpike: SignalDefinition = {
  name: 'velocity_spike',
  look: ({ conduct, recent, nowMs }) => {
    if (conduct === null) return UNKNOWN;
    // A process that never saw an agent's load cannot distinguish a spike from it.
    if (conduct.calls.slots < 24) return undefined;
    const calls = Math.max(countRecent(conduct.calls, computeSlot(nowMs)), recent.calls) + 1;
    const limit = computeUnusualBound(conduct.calls, CALLS_FLOOR);
    if (calls <= limit) return undefined;
    const usual = Math.round(conduct.calls.mean);
    return {
      isHigher: calls > 3 * limit,
      subject: 'calls',
      sentence: `The agent made ${calls} calls in five minutes; about ${usual} are usual.`,
      evidence: { calls, usual },
    };
  },
};
