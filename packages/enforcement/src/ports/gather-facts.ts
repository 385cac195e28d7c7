import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { MaybePromise } from '@svc/contract/rows/soon.ts';
import { type ContextFacts, createEmptyContexts, getContextKey } from '../facts/context-facts.ts';
import type { Asking } from '../facts/decision-request.ts';
import type { Facts, History } from '../facts/facts.ts';
import type { AgentSnapshot, EnvironmentSnapshot } from '../facts/snapshots.ts';
import { failClosed } from './fail-closed.ts';
import type { Ports } from './ports.ts';

/** Refusals if there is no such agent, or its store does not respond. */
export type FactsRefusal = Refusal<
  'NOT_FOUND' | 'IDENTITY_SERVICE_UNAVAILABLE' | 'POLICY_SERVICE_UNAVAILABLE' | 'APPROVAL_SERVICE_UNAVAILABLE'
>;

/** Members of a request that snapshots are loaded for. */
type Asker = Pick<Asking, 'organizationId' | 'agentId' | 'requestId' | 'traceId'>;

type Snapshots = { readonly agent: AgentSnapshot; readonly environment: EnvironmentSnapshot };
type Known = Snapshots & { readonly contexts: ContextFacts };

const joined = (agent: AgentSnapshot, environment: EnvironmentSnapshot | FactsRefusal | undefined): Snapshots | FactsRefusal => {
  if (environment === undefined) return buildRefusal('NOT_FOUND');
  return isRefusal(environment) ? environment : { agent, environment };
};

const withEnvironment = (
  ports: Ports,
  command: Asker,
  agent: AgentSnapshot | FactsRefusal | undefined,
): MaybePromise<Snapshots | FactsRefusal> => {
  if (agent === undefined) return buildRefusal('NOT_FOUND');
  if (isRefusal(agent)) return agent;
  const found = ports.governance.environment(command.organizationId, agent.environment_id);
  if (!(found instanceof Promise)) return joined(agent, found);
  return failClosed('POLICY_SERVICE_UNAVAILABLE', ports, command, () => found).then((environment) => joined(agent, environment));
};

/** Loads the agent and its environment for decisions, from the cache if possible. */
export const loadSnapshots = (ports: Ports, command: Asker): MaybePromise<Snapshots | FactsRefusal> => {
  const found = ports.governance.agent(command.organizationId, command.agentId);
  if (!(found instanceof Promise)) return withEnvironment(ports, command, found);
  const agent = failClosed('IDENTITY_SERVICE_UNAVAILABLE', ports, command, () => found);
  return agent.then((known) => withEnvironment(ports, command, known));
};

type InSession = Asker & Pick<Asking, 'session'>;

const withContexts = (ports: Ports, command: InSession, snapshots: Snapshots | FactsRefusal): MaybePromise<Known | FactsRefusal> => {
  if (isRefusal(snapshots)) return snapshots;
  const { agent, environment } = snapshots;
  const key = getContextKey(environment, command.session);
  if (!agent.has_contexts) return { ...snapshots, contexts: createEmptyContexts(key) };
  const found = ports.governance.contexts(agent, key, environment.risk.context_hours);
  if (!(found instanceof Promise)) return { ...snapshots, contexts: found };
  return failClosed('POLICY_SERVICE_UNAVAILABLE', ports, command, () => found).then((contexts) =>
    isRefusal(contexts) ? contexts : { ...snapshots, contexts },
  );
};

/** Loads the agent and its environment, with the flow contexts that count for the session. */
export const loadKnown = (ports: Ports, command: InSession): MaybePromise<Known | FactsRefusal> => {
  const snapshots = loadSnapshots(ports, command);
  if (!(snapshots instanceof Promise)) return withContexts(ports, command, snapshots);
  return snapshots.then((known) => withContexts(ports, command, known));
};

const VELOCITY_FIELDS = ['velocity.calls_1m', 'velocity.calls_1h', 'velocity.calls_24h', 'velocity.amount_24h'];

const readsVelocity = ({ policies }: EnvironmentSnapshot): boolean => VELOCITY_FIELDS.some((name) => policies.reads.has(name));

type Asked = Pick<Facts, 'now' | 'approval'> & { readonly history: History } & { readonly velocity?: Facts['velocity'] | undefined };

const buildFacts = (
  ports: Ports,
  command: Asking,
  { agent, environment, contexts }: Known,
  { now, approval, velocity, history }: Asked,
): Facts => {
  // Another agent's approval is treated as unknown: the response and the record do not reveal it.
  const own = approval && approval.agent_id !== command.agentId ? null : approval;
  return {
    now,
    principal: command.principal,
    session: command.session,
    source: command.source,
    agent,
    environment,
    contexts,
    request: command.request,
    parametersBytes: command.parametersBytes,
    approval: own,
    ...(velocity ? { velocity } : {}),
    history,
    marks: (kind, name) => ports.mark(command.organizationId, kind, name),
    requestHashes: ports.requestHashes,
  };
};

/** Loads facts that are never cached. */
const askMore = async (ports: Ports, command: Asking, snapshots: Known, found: MaybePromise<History>): Promise<Facts | FactsRefusal> => {
  const { approval_id } = command.request;
  const approval =
    approval_id === undefined
      ? undefined
      : await failClosed('APPROVAL_SERVICE_UNAVAILABLE', ports, command, () => ports.approvals.find(command.organizationId, approval_id));
  if (isRefusal(approval)) return approval;
  const history = await failClosed('POLICY_SERVICE_UNAVAILABLE', ports, command, async () => found);
  if (isRefusal(history)) return history;
  const now = ports.clock();
  const velocity = readsVelocity(snapshots.environment)
    ? await failClosed('POLICY_SERVICE_UNAVAILABLE', ports, command, () =>
        ports.activity.velocity(command.organizationId, command.agentId, now),
      )
    : undefined;
  return isRefusal(velocity) ? velocity : buildFacts(ports, command, snapshots, { now, approval, velocity, history });
};

const gatherAround = (ports: Ports, command: Asking, snapshots: Known | FactsRefusal): MaybePromise<Facts | FactsRefusal> => {
  if (isRefusal(snapshots)) return snapshots;
  const isKnown = command.request.approval_id === undefined && !readsVelocity(snapshots.environment);
  const history = ports.histories.find(command.organizationId, command.agentId);
  if (!isKnown || history instanceof Promise) return askMore(ports, command, snapshots, history);
  return buildFacts(ports, command, snapshots, { now: ports.clock(), approval: undefined, history });
};

/** Collects the facts for the pure stages: cached snapshots, and the approval if the request names one. */
export const gatherFacts = (ports: Ports, command: Asking): MaybePromise<Facts | FactsRefusal> => {
  const snapshots = loadKnown(ports, command);
  if (!(snapshots instanceof Promise)) return gatherAround(ports, command, snapshots);
  return snapshots.then((known) => gatherAround(ports, command, known));
};
