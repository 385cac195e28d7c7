import { assessRisk } from '@svc/domain/risk/risk-signals/assess-risk.ts';
import { getFlow } from '../facts/flow.ts';
import { getSignalFacts } from '../facts/signal-facts.ts';
import { defineStage } from '../facts/stage.ts';

/**
 * Adds up the risk signals of the request and finds the labels that it could carry. Refuses nothing: only rules of policies act on them.
 */
export const risk = defineStage({
  name: 'risk',
  relaxedByObserve: false,
  refuses: [],
  check: (facts, learned) => {
    const flow = getFlow(facts, learned);
    const known = flow === undefined ? learned : { ...learned, flow };
    return {
      outcome: 'passed',
      learned: { risk: assessRisk(getSignalFacts(facts, known), facts.history?.mutes ?? []), ...(flow === undefined ? {} : { flow }) },
    };
  },
});
