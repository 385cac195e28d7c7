import { TOOLS_USED_MAX } from '@svc/domain/risk/contexts/flow-context.ts';
import { isWeaker } from '@svc/domain/runtimes/runtimes/enforcement-order.ts';
import { enforcementAt } from '@svc/domain/runtimes/runtimes/runtime-standing.ts';
import { isAllowed } from '@svc/domain/tools/destinations/allowlist.ts';
import { isAddress } from '@svc/domain/tools/destinations/is-address.ts';
import type { Destination } from '@svc/domain/tools/destinations/parse-destination.ts';
import type { PolicyContext } from '@svc/policy/evaluation/policy-context.ts';
import { localTime } from '@svc/policy/values/local-time.ts';
import { getAmountContext } from './amounts.ts';
import type { Facts, Learned, SourceFacts } from './facts.ts';
import { matchesHash, requestHash } from './request-hash.ts';
import { requireKnown } from './stage.ts';
import { getAgentTrust } from './trust-facts.ts';
import { getVelocityContext } from './velocity-context.ts';

const DAY_MS = 86_400_000;
const TIME_FIELDS = ['time.hour', 'time.clock', 'time.weekday', 'time.date'];

const timeContext = ({ environment, now }: Facts): Pick<PolicyContext, 'time'> => {
  const { reads } = environment.policies;
  return TIME_FIELDS.some((name) => reads.has(name)) ? { time: localTime(now, environment.time_zone) } : {};
};

/** Computed only if a rule reads it. */
const trustContext = (facts: Facts): Pick<PolicyContext, 'trust'> => {
  const { reads } = facts.environment.policies;
  if (!reads.has('trust.level') && !reads.has('trust.evidence')) return {};
  const { level, kinds } = getAgentTrust(facts);
  return { trust: { level, evidence: kinds } };
};

/** Returns who requests, where and when: known for every request. The time is computed only if a rule reads it. */
export const getAgentContext = (facts: Facts): PolicyContext => {
  const { agent, environment, principal, now } = facts;
  return {
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
    ...trustContext(facts),
    ...timeContext(facts),
    ...getVelocityContext(facts),
  };
};

/** Returns the destination. A host name is not resolved before the call itself. */
export const getDestinationContext = ({ host, port }: Pick<Destination, 'host' | 'port'>): NonNullable<PolicyContext['destination']> =>
  isAddress(host) ? { host, port, ip: host.startsWith('[') ? host.slice(1, -1) : host } : { host, port };

const sourceContext = ({ ip, sdk_name }: SourceFacts): NonNullable<PolicyContext['request']> =>
  sdk_name === undefined ? { source_ip: ip } : { source_ip: ip, sdk_name };

/** Returns the runtime of the agent; of several the one with the weakest status. */
const runtimeContext = ({ agent, now }: Facts): Pick<NonNullable<PolicyContext['request']>, 'runtime_kind' | 'runtime_enforcement'> => {
  const [first, ...others] = agent.runtimes.map((runtime) => ({ kind: runtime.kind, status: enforcementAt(runtime, now) }));
  if (first === undefined) return {};
  const { kind, status } = others.reduce((weak, each) => (isWeaker(each.status, weak.status) ? each : weak), first);
  return { runtime_kind: kind, runtime_enforcement: status };
};

const requestContext = (facts: Facts): Pick<PolicyContext, 'request'> => {
  const { source, agent } = facts;
  if (source === null && agent.runtimes.length === 0) return {};
  return { request: { ...(source === null ? {} : sourceContext(source)), ...runtimeContext(facts) } };
};

/** True if the request brings an approval that the approval stage will accept. */
const approvalIsPresent = (facts: Facts, learned: Learned): boolean => {
  const { approval, agent, now } = facts;
  if (approval?.status !== 'APPROVED' || approval.agent_id !== agent.agent_id) return false;
  return Date.parse(approval.expires_at) > now.getTime() && matchesHash(approval.request_hash, requestHash(facts, learned));
};

const OWN_GRANTS = Object.freeze({ delegation: Object.freeze({ depth: 0 }) });

/** An agent that acts on its own grants is at depth 0; an unknown delegation leaves the fields unknown. */
const delegationContext = ({ authority }: Learned): Pick<PolicyContext, 'delegation'> => {
  if (authority === undefined) return OWN_GRANTS;
  if (authority.chain === null) return {};
  const { depth, root_principal } = authority.chain;
  return { delegation: { depth, root_principal: root_principal.id } };
};

/** Returns the score and the signals that fired; states if the score is a lower bound. */
export const getRiskContext = ({ risk }: Learned): Pick<PolicyContext, 'risk'> =>
  risk === undefined
    ? {}
    : { risk: { score: risk.score, level: risk.level, complete: risk.complete, signals: risk.signals.map(({ name }) => name) } };

/** Returns the labels that the agent may hold and those that the request could carry away. */
export const getFlowContext = ({ flow, tool }: Learned): Pick<PolicyContext, 'session'> => {
  if (flow === undefined || tool === undefined) return {};
  const { labels, sources, tools_used } = flow.context;
  return {
    session: {
      labels,
      labels_leaving: flow.leaving,
      sources: [...new Set(sources.flatMap((source) => (source.host === null ? [source.tool] : [source.tool, source.host])))],
      tools_used,
      minutes: flow.minutes,
      is_tools_partial: tools_used.length >= TOOLS_USED_MAX,
    },
  };
};

/** Returns the declared properties of the tool for rules about flows. */
export const getToolFlowContext = ({ flow, tool }: Learned) => ({
  reach: flow?.reach,
  labels: tool?.flow.labels,
  ...(tool?.flow.side_effects ? { side_effects: tool.flow.side_effects } : {}),
});

/** Builds the request as policies see it. Unknown members are omitted, so that a condition on them is unknown. */
export const buildPolicyContext = (facts: Facts, learned: Learned): PolicyContext => {
  const tool = requireKnown(learned.tool, 'tool');
  const derived = requireKnown(learned.derived, 'request');
  const asksApproval = facts.environment.policies.reads.has('approval.present');
  return {
    ...getAgentContext(facts),
    tool: {
      name: tool.name,
      capability: tool.required_capability,
      risk_rating: tool.risk_rating,
      dangerous: tool.dangerous,
      kind: tool.kind,
      ...getToolFlowContext(learned),
    },
    capability: tool.required_capability,
    parameters: derived.parameters,
    ...(learned.amounts ? getAmountContext(facts, learned.amounts) : derived.amount === null ? {} : { amount: derived.amount }),
    ...(derived.currency === null ? {} : { currency: derived.currency }),
    ...(derived.destination === null
      ? {}
      : {
          destination: {
            ...getDestinationContext(derived.destination),
            internal: isAllowed(facts.environment.risk.internal, derived.destination),
          },
        }),
    ...getRiskContext(learned),
    ...getFlowContext(learned),
    ...delegationContext(learned),
    ...requestContext(facts),
    ...(asksApproval ? { approval: { present: approvalIsPresent(facts, learned) } } : {}),
  };
};
