import { assessRisk } from '@svc/domain/risk/risk-signals/assess-risk.ts';
import { parseDestination } from '@svc/domain/tools/destinations/parse-destination.ts';
import type { Facts, Learned } from '../facts/facts.ts';
import { getFlow } from '../facts/flow.ts';
import { getSignalFacts } from '../facts/signal-facts.ts';
import type { Supposing } from './supposing.ts';

/** Reads members that the request states itself, since no tool derives them here. */
const supposedRequest = ({ request }: Facts, learned: Learned): Learned => {
  const place = request.destination === undefined ? null : parseDestination(request.destination);
  const amount = request.amount ?? null;
  return {
    ...learned,
    derived: {
      parameters: request.parameters ?? {},
      amount,
      currency: request.currency ?? null,
      destination: place === null || 'fault' in place ? null : place,
      execution: null,
    },
  };
};

/** Computes the risk of the known part of the request, which is a lower bound. */
export const simulateRisk: Supposing<never> = (facts, _supposed, { learned }) => {
  const request = supposedRequest(facts, learned);
  const flow = getFlow(facts, request);
  return {
    outcome: 'passed',
    learned: {
      risk: assessRisk(getSignalFacts(facts, request), facts.history?.mutes ?? [], false),
      ...(flow === undefined ? {} : { flow }),
    },
  };
};
