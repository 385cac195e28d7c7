import { computeUnusualBound, countRecent } from '../../conduct/baseline.ts';
import { CALLS_FLOOR, computeHour } from '../../conduct/conduct.ts';
import { type SignalDefinition, UNKNOWN } from '../signal.ts';

export const contextChurn: SignalDefinition = {
  name: 'context_churn',
  look: ({ conduct, nowMs }) => {
    if (conduct === null) return UNKNOWN;
    const count = countRecent(conduct.contexts, computeHour(nowMs));
    if (count <= computeUnusualBound(conduct.contexts, CALLS_FLOOR)) return undefined;
    const usual = Math.round(conduct.contexts.mean);
    return {
      subject: 'contexts',
      sentence: `The agent began ${count} flow contexts in this hour; about ${usual} are usual.`,
      evidence: { contexts: count, usual },
    };
  },
};
