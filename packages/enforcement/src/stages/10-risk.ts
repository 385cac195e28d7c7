import { assessRisk } from '@svc/domain/risk/risk-signals/assess-risk.ts';
import { signalFacts } from '../facts/signal-facts.ts';
import { stage } from '../facts/stage.ts';

/** Adds up the risk signals of the request. Refuses nothing: only rules of policies act on the score. */
export const risk = stage({
  name: 'risk',
  relaxedByObserve: false,
  refuses: [],
  check: (facts, learned) => ({
    outcome: 'passed',
    learned: { risk: assessRisk(signalFacts(facts, learned), facts.history?.mutes ?? []) },
  }),
});
