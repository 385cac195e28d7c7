import type { Explanation } from '@svc/contract/actions/decisions.ts';
import { canonicalJson } from '@svc/domain/events/canonical-json.ts';
import { writeTrace } from '@svc/domain/risk/conduct/conduct-trace.ts';
import { ALL_CONTEXTS, UNNAMED } from '@svc/domain/risk/contexts/context-name.ts';
import type { Growth } from '@svc/domain/risk/contexts/growth.ts';
import { parseDestination } from '@svc/domain/tools/destinations/parse-destination.ts';
import type { CompiledRule } from '@svc/policy/judge/compile-version.ts';
import { maskPaths } from '@svc/policy/masks/mask-paths.ts';
import { maskSecretText } from '@svc/policy/masks/mask-secrets.ts';
import { isAgentAccepted, type PipelineVerdict } from '../decision/decide.ts';
import { foldExplanation } from '../explanation/fold-explanation.ts';
import type { Command } from '../facts/decision-request.ts';
import { type Facts, isContinuation } from '../facts/facts.ts';
import { getSignalFacts } from '../facts/signal-facts.ts';
import type { CredentialSnapshot } from '../facts/snapshots.ts';
import type { ActionRecord, DecisionRecord, EventRecord, PipelineEvent, Ports } from '../ports/ports.ts';
import { buildDecisionEvent, type Course, listTakenClaims } from './action-status.ts';
import { mergeApprovalTerms } from './approval-terms.ts';

const getLease = (ports: Ports, { agent_id, tool }: ActionRecord, { id, generation }: CredentialSnapshot) => ({
  agent_id,
  tool,
  credential_id: id,
  generation,
  lease_id: ports.newId('credential_lease'),
});

/** Returns the deciding rule and its policy version; empty if no rule was reached or none matched. */
const getRule = ({ learned }: PipelineVerdict) => {
  const rule = learned.policy?.matched_rule;
  if (rule == null) return {};
  return { rule_id: rule.id, policy_id: rule.policy_id, policy_version_id: rule.version_id, policy_version: rule.version_number };
};

/** True for the first request in a named flow context that this process sees. */
const beganContext = ({ contexts: { key }, history }: Facts): boolean =>
  key !== ALL_CONTEXTS && key !== UNNAMED && history !== undefined && !history.recent.contexts.has(key);

/** Returns the input of histories, and the signals that counted. */
const getRisk = (facts: Facts, { learned, mode }: PipelineVerdict) => {
  if (mode === 'SIMULATE') return {};
  const { tool, destination, network, record, amount } = getSignalFacts(facts, learned);
  const marks = {
    tool: tool?.mark ?? null,
    destination: destination?.mark ?? null,
    network: network?.mark ?? null,
    record: record?.mark ?? null,
  };
  const conduct = writeTrace({ ...marks, amount: amount?.value ?? null, beganContext: beganContext(facts) });
  if (learned.risk === undefined) return { conduct };
  const { score, level, thresholds, signals } = learned.risk;
  const counted = signals.filter((signal) => signal.counted > 0);
  return counted.length === 0 ? { conduct } : { conduct, risk: { score, level, thresholds, signals: counted } };
};

/** Returns the context that the request used, to extend its lifetime. Absent if all contexts of the agent were used. */
const usedContext = ({ contexts: { key } }: Facts) => (key === ALL_CONTEXTS ? {} : { context: key === UNNAMED ? null : key });

const listEvents = (
  ports: Ports,
  action: ActionRecord,
  { facts, verdict }: { readonly facts: Facts; readonly verdict: PipelineVerdict },
  { opens, consumes, call }: Pick<DecisionRecord, 'opens' | 'consumes'> & Pick<Course, 'call'>,
): EventRecord[] => {
  const decidedOn = {
    agent_id: action.agent_id,
    tool: action.tool,
    decision: action.decision,
    status: action.status,
    mode: action.mode,
    code: action.code,
    reason: action.reason,
    amount: action.amount,
    currency: action.currency,
    ...getRule(verdict),
    ...getRisk(facts, verdict),
    ...usedContext(facts),
  };
  const told = consumes ? { ...decidedOn, approval_id: consumes.id, approved_by: consumes.approved_by } : decidedOn;
  const isExecuting = ports.executors !== null;
  const event = (type: PipelineEvent, data: EventRecord['data'], about: EventRecord['about'] = 'action') => ({
    id: ports.newId('audit_event'),
    type,
    about,
    data,
  });
  // Ids are generated in this order, so that events sort in the order in which they happened.
  const requested = isContinuation(consumes) ? [] : [event('action.requested', { agent_id: action.agent_id, tool: action.tool })];
  const decided = event(buildDecisionEvent(verdict), told);
  const { tool } = verdict.learned;
  const isInteraction = isExecuting && tool?.kind === 'A2A' && decided.type === 'action.blocked';
  const blocked = { agent_id: action.agent_id, tool: action.tool, connection_id: tool?.a2a?.connection_id ?? null, action_id: action.id };
  const interaction = isInteraction ? [event('a2a.interaction_blocked', { ...blocked, code: action.code, reason: action.reason })] : [];
  if (verdict.code === 'DESTINATION_BLOCKED' && verdict.outcome === 'refused') {
    const where = { agent_id: action.agent_id, tool: action.tool, destination: action.destination, reason: action.reason };
    return [...requested, decided, event('security.destination_blocked', where), ...interaction];
  }
  if (interaction.length > 0) return [...requested, decided, ...interaction];
  if (call?.credential) return [...requested, decided, event('credential.issued', getLease(ports, action, call.credential))];
  if (!opens) return [...requested, decided];
  return [
    ...requested,
    decided,
    event('approval.requested', { approval_id: opens.id, expires_at: opens.expires_at, quorum: opens.quorum }, 'approval'),
  ];
};

const NO_PATHS: readonly string[] = [];
const NO_RULES: readonly CompiledRule[] = [];

/** Returns host and port only: the rest of an address may contain secrets, and an invalid address is not stored either. */
const destinationText = (verdict: PipelineVerdict, asked: string | undefined): string | null => {
  const destination = verdict.learned.derived?.destination ?? (asked === undefined ? null : parseDestination(asked));
  return destination && !('fault' in destination) ? `${destination.host}:${destination.port}` : null;
};

/**
 * Returns the parameters to store, without anything that a rule masks. If no rule was evaluated, everything that some rule of the
 * environment may mask is left out.
 */
const recordedParameters = ({ request, parametersJson }: Command, { environment }: Facts, { learned }: PipelineVerdict): string => {
  const paths = learned.policy ? (learned.policy.obligations.mask?.parameters ?? NO_PATHS) : environment.policies.masked_parameters;
  return paths.length === 0 || request.parameters === undefined ? parametersJson : JSON.stringify(maskPaths(request.parameters, paths));
};

/** True if more follows: a call, a person's decision, or the agent's own report. */
const isOpen = ({ status, execution }: Course): boolean =>
  status === 'EXECUTING' || status === 'PENDING_APPROVAL' || execution?.state === 'BY_AGENT';

/** Returns the approval that is used up; none if nothing will be executed. */
const consumedBy = ({ executors }: Ports, { learned }: PipelineVerdict, { status }: Course): DecisionRecord['consumes'] =>
  status === 'SIMULATED' || executors === null ? null : (learned.consumes ?? null);

const getKey = (
  idempotency: Command['idempotency'],
): Pick<ActionRecord, 'idempotency_key' | 'idempotency_hash' | 'idempotency_hash_unkeyed'> => ({
  idempotency_key: idempotency?.key ?? null,
  idempotency_hash: idempotency?.hash.keyed ?? null,
  idempotency_hash_unkeyed: idempotency?.hash.unkeyed ?? null,
});

/** Returns the received request in canonical JSON. */
const requestText = ({ agentId, request }: Command): string => {
  const { amount = null, currency = null, delegation_id = null, destination = null, parameters = null, tool } = request;
  return canonicalJson({ agent_id: agentId, amount, currency, delegation_id, destination, parameters, tool });
};

/** Returns scope and caller of the request. */
const placeOf = ({ requestId, traceId, principal }: Command, { environment, agent }: Facts) => ({
  organization_id: environment.organization_id,
  environment_id: environment.environment_id,
  workspace_id: environment.workspace_id,
  agent_id: agent.agent_id,
  agent_name: agent.name,
  principal_type: principal.type,
  principal_id: principal.id,
  principal_name: principal.type === 'AGENT' && principal.id === agent.agent_id ? agent.name : principal.name,
  request_id: requestId,
  trace_id: traceId,
  environment_epoch: environment.epoch,
  agent_epoch: agent.epoch,
});

const NO_GROWTH: Growth = { labels: [], sources: [], tool: null };

/** Returns the labels that an executed action adds, in the transaction that records it. A held or simulated one adds none. */
const getGrowth = (
  ports: Ports,
  { contexts }: Facts,
  { outcome, learned }: PipelineVerdict,
  { status }: Course,
  { id, created_at }: ActionRecord,
): DecisionRecord['grows'] => {
  const { flow } = learned;
  if (flow === undefined || outcome !== 'allowed' || status === 'SIMULATED') return null;
  const { growth, stores, loads, context } = flow;
  if (growth === null && stores === null && loads === null) return null;
  const { labels, sources, tool } = growth ?? NO_GROWTH;
  return {
    labels,
    tool,
    stores: stores && { ...stores, labels: context.labels, sources: context.sources, is_overflowing: context.is_overflowing },
    loads,
    contextId: ports.newId('flow_context'),
    key: contexts.key,
    endedBefore: contexts.endedBefore,
    sources: sources.map((source) => ({ ...source, action_id: id, at: created_at })),
  };
};

/** Builds everything that is written for one decision. */
export const buildRecord = (
  ports: Ports,
  command: Command,
  facts: Facts,
  verdict: PipelineVerdict,
  course: Course,
  explanation: Explanation,
): DecisionRecord => {
  const { tool, derived, consulted = NO_RULES } = verdict.learned;
  const consumes = consumedBy(ports, verdict, course);
  const opens = course.status === 'PENDING_APPROVAL' ? mergeApprovalTerms(facts, verdict, ports.newId('approval')) : null;
  const createdAt = facts.now.toISOString();
  // A stopped agent gets no earlier response again: its refusal is a separate decision.
  const idempotency = isAgentAccepted(verdict) ? command.idempotency : null;
  const action: ActionRecord = {
    id: isContinuation(consumes) ? consumes.action_id : ports.newId('action'),
    tool_id: tool?.id ?? null,
    // An unknown tool name may be any text.
    tool: tool?.name ?? maskSecretText(command.request.tool),
    decision: verdict.effect,
    status: course.status,
    mode: verdict.mode,
    code: verdict.code,
    reason: verdict.reason,
    amount: derived?.amount ?? command.request.amount ?? null,
    currency: derived?.currency ?? command.request.currency ?? null,
    destination: destinationText(verdict, command.request.destination),
    parameters_json: recordedParameters(command, facts, verdict),
    explanation_json: foldExplanation(explanation, consulted),
    execution_json: course.execution && JSON.stringify(course.execution),
    approval_id: opens?.id ?? consumes?.id ?? facts.approval?.id ?? null,
    ...placeOf(command, facts),
    ...getKey(idempotency),
    created_at: createdAt,
    completed_at: isOpen(course) ? null : createdAt,
    declaration_version: tool?.declaration_version ?? null,
    request_hmac: ports.requestHmac(requestText(command)),
    digest_salt: ports.newDigestSalt(),
    digest_revision: 0,
  };
  return {
    action,
    events: listEvents(ports, action, { facts, verdict }, { opens, consumes, call: course.call }),
    opens,
    consumes,
    claims: listTakenClaims(verdict),
    grows: getGrowth(ports, facts, verdict, course, action),
    callTimeoutMs: course.callTimeoutMs ?? null,
  };
};
