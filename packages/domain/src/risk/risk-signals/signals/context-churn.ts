import { countIn, unusualFrom } from '../../conduct/baseline.ts';
import { CALLS_FLOOR, hourOf } from '../../conduct/conduct.ts';
import { type RiskSignal, UNKNOWN } from '../signal.ts';

export const contextChurn: RiskSignal = {
  name: 'context_churn',
  look: ({ conduct, nowMs }) => {
    if (conduct === null) return UNKNOWN;
    const count = countIn(conduct.contexts, hourOf(nowMs));
    if (count <= unusualFrom(conduct.contexts, CALLS_FLOOR)) return undefined;
    const usual = Math.round(conduct.contexts.mean);
    return {
      subject: 'contexts',
      sentence: `The agent began ${count} flow contexts in this hour; about ${usual} are usual.`,
      evidence: { contexts: count, usual },
    };
  },
};
