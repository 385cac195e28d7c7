import { isRefusal, type Refusal, refusal } from '@svc/contract/refusal.ts';
import type { Command } from './command.ts';
import type { Facts } from './facts.ts';
import { failClosed } from './fail-closed.ts';
import type { Ports } from './ports.ts';
import type { AgentSnapshot, EnvironmentSnapshot } from './snapshots.ts';

type Snapshots = { readonly agent: AgentSnapshot; readonly environment: EnvironmentSnapshot };

const loadSnapshots = async (ports: Ports, { organizationId, agentId }: Command): Promise<Snapshots | Refusal> => {
  const foundAgent = ports.governance.agent(organizationId, agentId);
  const agent =
    foundAgent instanceof Promise ? await failClosed('IDENTITY_SERVICE_UNAVAILABLE', ports.onBreakage, () => foundAgent) : foundAgent;
  if (agent === undefined) return refusal('NOT_FOUND');
  if (isRefusal(agent)) return agent;
  const foundEnvironment = ports.governance.environment(organizationId, agent.environment_id);
  const environment =
    foundEnvironment instanceof Promise
      ? await failClosed('POLICY_SERVICE_UNAVAILABLE', ports.onBreakage, () => foundEnvironment)
      : foundEnvironment;
  if (environment === undefined) return refusal('NOT_FOUND');
  return isRefusal(environment) ? environment : { agent, environment };
};

const VELOCITY_FIELDS = ['velocity.calls_1m', 'velocity.calls_1h', 'velocity.calls_24h', 'velocity.amount_24h'];

const readsVelocity = ({ policies }: EnvironmentSnapshot): boolean => VELOCITY_FIELDS.some((name) => policies.reads.has(name));

/** Collects what the pure stages look at: cached snapshots, and the approval when the request names one. */
export const gatherFacts = async (ports: Ports, command: Command): Promise<Facts | Refusal> => {
  const snapshots = await loadSnapshots(ports, command);
  if (isRefusal(snapshots)) return snapshots;
  const { approval_id } = command.request;
  const approval =
    approval_id === undefined
      ? undefined
      : await failClosed('APPROVAL_SERVICE_UNAVAILABLE', ports.onBreakage, () => ports.approvals.find(command.organizationId, approval_id));
  if (isRefusal(approval)) return approval;
  const now = ports.clock();
  const velocity = readsVelocity(snapshots.environment)
    ? await failClosed('POLICY_SERVICE_UNAVAILABLE', ports.onBreakage, () =>
        ports.activity.velocity(command.organizationId, command.agentId, now),
      )
    : undefined;
  if (isRefusal(velocity)) return velocity;
  // Another agent's approval is none: neither the answer nor the record tells that it exists.
  const own = approval && approval.agent_id !== command.agentId ? null : approval;
  return {
    now,
    principal: command.principal,
    session: command.session,
    source: command.source,
    agent: snapshots.agent,
    environment: snapshots.environment,
    request: command.request,
    parametersBytes: command.parametersBytes,
    approval: own,
    ...(velocity ? { velocity } : {}),
    sha256: ports.sha256,
  };
};
