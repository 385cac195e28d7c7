import type { PolicyContext } from '@svc/policy/context.ts';
import type { Facts, Learned } from './facts.ts';
import { known } from './stage.ts';

const DAY_MS = 86_400_000;

/** Who asks, and where: known of every request. */
export const agentContext = ({ agent, environment, principal, now }: Facts): PolicyContext => ({
  principal: { type: principal.type, id: principal.id },
  agent: {
    id: agent.agent_id,
    name: agent.name,
    labels: agent.labels,
    capabilities: agent.capability_names,
    created_days: Math.max(0, Math.floor((now.getTime() - Date.parse(agent.created_at)) / DAY_MS)),
  },
  environment: { type: environment.type, mode: environment.mode },
  workspace: { id: environment.workspace_id },
});

/** The request as policies see it. What is not known is left out, so that a condition on it is unknown. */
export const policyContext = (facts: Facts, learned: Learned): PolicyContext => {
  const tool = known(learned.tool, 'tool');
  const derived = known(learned.derived, 'request');
  return {
    ...agentContext(facts),
    tool: {
      name: tool.name,
      capability: tool.required_capability,
      risk_rating: tool.risk_rating,
      dangerous: tool.dangerous,
      kind: tool.kind,
    },
    capability: tool.required_capability,
    parameters: derived.parameters,
    ...(derived.amount === null ? {} : { amount: derived.amount }),
    ...(derived.currency === null ? {} : { currency: derived.currency }),
    ...(derived.destination === null ? {} : { destination: { host: derived.destination.host, port: derived.destination.port } }),
  };
};
