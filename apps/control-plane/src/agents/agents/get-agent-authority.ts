import type { AgentAuthority } from '@svc/contract/agents/delegations/authority.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { type EffectiveAuthority, effectiveAuthority } from '@svc/domain/agents/delegations/effective-authority.ts';
import { isChainFault } from '@svc/domain/agents/delegations/walk-chain.ts';
import { askTool } from '@svc/enforcement/decision/ask-tool.ts';
import type { AgentSnapshot, EnvironmentSnapshot, ToolSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import type { Ports } from '@svc/enforcement/ports/ports.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { listGrants } from '@svc/postgres/agents/agents/agent-capabilities.ts';
import { resourcesExist } from '@svc/postgres/change/resource-exists.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { loadAgent } from '@svc/postgres/governance/load-agent.ts';
import { loadEnvironmentTools } from '@svc/postgres/governance/load-environment.ts';
import { createFairQueue } from '../../aside/in-turn.ts';
import type { AgentsDeps } from '../deps.ts';
import { showDerivation } from './views/show-derivation.ts';

type Derivation = AgentAuthority['delegations'][number];

const covers = ({ usable, bounds }: Derivation, tool: ToolSnapshot, environmentId: string): boolean =>
  usable &&
  bounds.capabilities.includes(tool.required_capability) &&
  (bounds.tools === null || bounds.tools.includes(tool.id) || bounds.tools.includes(tool.name)) &&
  (bounds.environments === null || bounds.environments.includes(environmentId));

type Known = { readonly agent: AgentSnapshot; readonly environment: EnvironmentSnapshot; readonly now: Date };

/** Shows one tool: the decision of the pipeline, and the delegations that reach it. */
const showTool = (
  known: Known & Pick<Ports, 'requestHashes'>,
  tool: ToolSnapshot,
  delegations: readonly Derivation[],
  { acts_under, needsPerson }: Pick<EffectiveAuthority, 'acts_under'> & { readonly needsPerson: boolean },
): AgentAuthority['tools'][number] => {
  const { id, name, kind, required_capability } = tool;
  const before = askTool(known, id);
  const reaching = before === null ? delegations.filter((one) => covers(one, tool, known.environment.environment_id)) : [];
  const within = !needsPerson || reaching.some((one) => acts_under.includes(one.delegation_id));
  const code = before ?? (within ? null : 'AUTHORITY_EXCEEDED');
  return {
    tool_id: id,
    name,
    kind,
    required_capability,
    usable: code === null,
    code,
    delegations: reaching.map((one) => one.delegation_id),
  };
};

/**
 * Building the view holds all tools of an environment and all chains of an agent in memory, so only a few run at once, one per
 * organization.
 */
const inTurn = createFairQueue(4);

const readView: Handler<Endpoints['getAgentAuthority'], AgentsDeps> = async (call, deps) => {
  const { organization_id } = call.scope;
  const { agentId } = call.params;
  if (!(await resourcesExist(call.database, call.scope, { agentId }))) return call.refuse('NOT_FOUND');
  const agent = await loadAgent(call.database, organization_id, agentId);
  const environment = agent && (await loadEnvironmentTools(call.database, organization_id, agent.environment_id));
  if (!environment) return call.refuse('NOT_FOUND');
  const grants = await readInTenant(call.database, call.scope, (tx) => listGrants(tx, organization_id, agentId));
  const chains = [...agent.chains.values()].flatMap((one) => (isChainFault(one) ? [] : [one.chain]));
  const authority = effectiveAuthority(agent.capability_names, chains, call.now);
  const { acts_under } = authority;
  const { source } = authority;
  const needsPerson = source === 'DELEGATION' || environment.requires_delegation;
  const { requires_delegation, environment_id } = environment;
  const delegate = { capabilities: agent.capability_names, environment_id, requires_delegation, is_delegated: acts_under.length > 0 };
  const delegations = [...agent.chains].map(([id, chain]) => showDerivation(id, chain, authority, needsPerson, delegate));
  const effective = new Set(acts_under.length === 0 && environment.requires_delegation ? [] : authority.capabilities);
  const known = { agent, environment, now: call.now, requestHashes: deps.pipeline.requestHashes };
  return {
    agent_id: agentId,
    source,
    acts_under: [...acts_under],
    capabilities: grants.map((grant) => ({ ...grant, source: 'GRANT', effective: effective.has(grant.capability) })),
    tools: [...new Set(environment.tools.values())].map((tool) => showTool(known, tool, delegations, { acts_under, needsPerson })),
    delegations,
  };
};

/** Shows what the agent may do and why: the grants, chains and narrowings; and for each tool the decision of the pipeline. */
export const getAgentAuthority: Handler<Endpoints['getAgentAuthority'], AgentsDeps> = (call, deps) =>
  inTurn(call.scope.organization_id, async () => await readView(call, deps));
