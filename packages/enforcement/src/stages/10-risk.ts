import { assessRisk } from '@svc/domain/risk/risk-signals/assess-risk.ts';
import { flowOf } from '../facts/flow.ts';
import { signalFacts } from '../facts/signal-facts.ts';
import { stage } from '../facts/stage.ts';

/**
 * Adds up the risk signals of the request and finds the labels that it could carry. Refuses nothing: only rules of policies act on them.
 */
export const risk = stage({
  name: 'risk',
  relaxedByObserve: false,
  refuses: [],
  check: (facts, learned) => {
    const flow = flowOf(facts, learned);
    const known = flow === undefined ? learned : { ...learned, flow };
    return {
      outcome: 'passed',
      learned: { risk: assessRisk(signalFacts(facts, known), facts.history?.mutes ?? []), ...(flow === undefined ? {} : { flow }) },
    };
  },
});
