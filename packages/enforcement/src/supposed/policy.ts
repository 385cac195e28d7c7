import { parseDestination } from '@svc/domain/tools/destinations/parse-destination.ts';
import type { PolicyContext } from '@svc/policy/evaluation/policy-context.ts';
import { judge } from '@svc/policy/judge/evaluate.ts';
import { formatBlockNote } from '@svc/policy/judge/obligations-alone.ts';
import type { Facts, Learned } from '../facts/facts.ts';
import { getAgentContext, getDestinationContext, getFlowContext, getRiskContext, getToolFlowContext } from '../facts/policy-context.ts';
import { refuseStage } from '../facts/stage.ts';
import { simulateAmount } from './currency.ts';
import type { Supposed, Supposing } from './supposing.ts';

/** Returns the given facts about an unknown tool. */
const toolContext = (learned: Learned, { tool: name }: Supposed): Pick<PolicyContext, 'tool'> => {
  const { tool: known } = learned;
  if (known === undefined) return name === undefined ? {} : { tool: { name } };
  const { required_capability: capability, risk_rating, dangerous, kind } = known;
  return { tool: { name: known.name, capability, risk_rating, dangerous, kind, ...getToolFlowContext(learned) } };
};

/** Returns the known part of the request; the rest is unknown to every rule and named in the response. */
const partialContext = (facts: Facts, supposed: Supposed, learned: Learned): PolicyContext => {
  const { request } = facts;
  const place = request.destination === undefined ? undefined : parseDestination(request.destination);
  const capability = learned.tool?.required_capability ?? supposed.capability;
  return {
    ...getAgentContext(facts),
    ...toolContext(learned, supposed),
    ...(capability === undefined ? {} : { capability }),
    ...(request.parameters === undefined ? {} : { parameters: request.parameters }),
    ...getRiskContext(learned),
    ...getFlowContext(learned),
    ...simulateAmount(facts, learned.amounts),
    ...(place === undefined || 'fault' in place ? {} : { destination: getDestinationContext(place) }),
  };
};

/** Always evaluated, so that the response shows each condition even if an earlier check would refuse. */
export const simulatePolicyStage: Supposing<'ACTION_BLOCKED'> = (facts, supposed, { learned }) => {
  const { decision, rules } = judge(facts.environment.policies, partialContext(facts, supposed, learned));
  const found: Learned = { policy: decision, consulted: rules };
  if (decision.effect !== 'BLOCK') return { outcome: 'passed', learned: found };
  return { ...refuseStage('ACTION_BLOCKED', decision.reason), learned: found, note: formatBlockNote(decision) };
};
