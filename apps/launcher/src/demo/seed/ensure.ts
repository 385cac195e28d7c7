import type { Agent } from '@svc/contract/agents/agents/agents.ts';
import type { PolicyRule, PolicyTestCase } from '@svc/contract/policies/language.ts';
import type { Policy, PolicyBinding } from '@svc/contract/policies/policies.ts';
import type { Environment } from '@svc/contract/tenancy/environments.ts';
import type { Workspace } from '@svc/contract/tenancy/workspaces.ts';
import type { Tool, ToolDeclaration } from '@svc/contract/tools/tools.ts';
import type { ControlPlane } from '../control-plane.ts';

type Listed<Item> = { readonly items: readonly Item[] };

/** The list of those of that name, found also where whoever looked around made hundreds of others. */
const called = (list: string, name: string): string => `${list}?${new URLSearchParams({ q: name, limit: '200' })}`;

/** Each makes what is missing and leaves what is there, so that seeding may be taken up again wherever it was cut short. */
export const ensureWorkspace = async (owner: ControlPlane, name: string): Promise<Workspace> => {
  const found = await owner.ask<readonly Workspace[]>('GET', '/v1/workspaces');
  return found.find((each) => each.name === name) ?? owner.ask<Workspace>('POST', '/v1/workspaces', { body: { name } });
};

export const ensureEnvironment = async (
  owner: ControlPlane,
  body: { readonly workspace_id: string; readonly name: string; readonly type: Environment['type'] },
): Promise<Environment> => {
  const found = await owner.ask<readonly Environment[]>('GET', '/v1/environments');
  const same = found.find((each) => each.name === body.name && each.workspace_id === body.workspace_id);
  return same ?? owner.ask<Environment>('POST', '/v1/environments', { body });
};

export const ensureAgent = async (
  owner: ControlPlane,
  { id, workspace_id }: Environment,
  rest: { readonly name: string; readonly capabilities: readonly string[]; readonly public_key: string },
): Promise<Agent> => {
  const { items } = await owner.ask<Listed<Agent>>('GET', called('/v1/agents', rest.name));
  const same = items.find((each) => each.name === rest.name && each.environment_id === id);
  if (same) return same;
  const { data } = await owner.ask<{ readonly data: { readonly agent: Agent } }>('POST', '/v1/agents', {
    body: { workspace_id, environment_id: id, ...rest },
  });
  return data.agent;
};

/** Registered, and the agent authorized for it. */
export const ensureTool = async (owner: ControlPlane, declaration: ToolDeclaration, agentId: string): Promise<Tool> => {
  const { items } = await owner.ask<Listed<Tool>>('GET', called('/v1/tools', declaration.name));
  const same = items.find((each) => each.name === declaration.name && each.environment_id === declaration.environment_id);
  const tool = same ?? (await owner.ask<Tool>('POST', '/v1/tools', { body: declaration }));
  if (tool.authorized_agent_ids.includes(agentId)) return tool;
  return owner.ask<Tool>('POST', `/v1/tools/${tool.id}/agents`, { body: { agent_id: agentId } });
};

/** Created, and its first version in force. */
export const ensurePolicy = async (
  owner: ControlPlane,
  body: {
    readonly name: string;
    readonly rules: readonly PolicyRule[];
    readonly tests: readonly PolicyTestCase[];
    readonly binding: PolicyBinding;
  },
): Promise<Policy> => {
  const found = await owner.ask<readonly Policy[]>('GET', '/v1/policies');
  const policy = found.find(({ name }) => name === body.name) ?? (await owner.ask<Policy>('POST', '/v1/policies', { body }));
  if (policy.active_version !== null) return policy;
  const version_id = policy.versions[0]?.version_id;
  return owner.ask<Policy>('POST', `/v1/policies/${policy.id}/activate`, { body: { version_id, reason: 'Demo data' } });
};
