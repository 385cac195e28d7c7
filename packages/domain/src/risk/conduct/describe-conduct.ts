import type { AgentRisk } from '@svc/contract/risk/risk-events.ts';
import { RISK_FAMILIES } from '@svc/contract/risk/signal-table.ts';
import { computeAmountBaseline } from './amounts.ts';
import { countKnown } from './bloom.ts';
import { type Conduct, getAgentRiskParts } from './conduct.ts';

const getTime = (ms: number): string | null => (ms === 0 ? null : new Date(ms).toISOString());

/** Returns the usual behaviour of an agent, in numbers and in words. */
export const describeBaseline = (conduct: Conduct): AgentRisk['baseline'] => {
  const { count, q99 } = computeAmountBaseline(conduct.amounts);
  const tools = countKnown(conduct.tools);
  const destinations = countKnown(conduct.destinations);
  const calls = Math.round(conduct.calls.mean);
  return {
    permitted_actions: conduct.permitted,
    refused_actions: conduct.refused,
    first_action_at: getTime(conduct.firstAt),
    known_tools: tools,
    known_destinations: destinations,
    known_networks: conduct.networks.length,
    usual_calls_per_five_minutes: calls,
    amounts: count,
    amount_below_99_of_100: q99,
    sentence: `About ${calls} calls in five minutes with about ${tools} tools to about ${destinations} destinations from ${conduct.networks.length} networks.`,
  };
};

/** Families that add to the risk of an agent, with their last points and what is left of them. */
export const describeFamilies = (conduct: Conduct, nowMs: number): AgentRisk['families'] => {
  const left = getAgentRiskParts(conduct, nowMs);
  return RISK_FAMILIES.flatMap((family, index) => {
    const last = conduct.families[index];
    return last === undefined || last.points === 0
      ? []
      : [{ family, points: last.points, points_now: left[index] ?? 0, at: new Date(last.at * 1000).toISOString() }];
  });
};
