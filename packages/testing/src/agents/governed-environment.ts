import { mustCall } from '../people/client.ts';
import type { Tenant } from '../people/tenant.ts';
import { newAgent, type TestAgent } from './agent.ts';

/** An environment with one agent that may use every tool in it. */
export type GovernedEnvironment = {
  readonly mode: TestMode;
  readonly environment_id: string;
  readonly agent: TestAgent;
};

export type TestMode = 'OBSERVE' | 'SIMULATE' | 'ENFORCE';

let environments = 0;

/** Adds an environment to a tenant whose owner has stepped up. Every tool requires the one capability that the agent has. */
export const newGovernedEnvironment = async (tenant: Tenant, mode: TestMode, tools: readonly object[]): Promise<GovernedEnvironment> => {
  environments += 1;
  const { token, workspace_id } = tenant;
  const post = (path: string, body: object) => mustCall(tenant.controlUrl, 'POST', path, { token, body });
  const name = `Environment ${environments}`;
  const { id: environment_id } = await post('/v1/environments', { workspace_id, name, type: 'STAGING' });
  if (mode !== 'ENFORCE') await post(`/v1/environments/${environment_id}/gateway-mode`, { mode, reason: 'test' });
  const agent = await newAgent({ ...tenant, environment_id }, { capabilities: ['work'] });
  for (const declared of tools) {
    const tool = await post('/v1/tools', { environment_id, required_capability: 'work', ...declared });
    await post(`/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
  }
  return { mode, environment_id, agent };
};

/** An SDK tool, and one that sends the parameters unchanged to a destination on this machine. */
export const noteAndShip = (url: string): object[] => [
  { name: 'note', kind: 'SDK' },
  { name: 'ship', kind: 'HTTP', destination_allowlist: [new URL(url).host], execution: { method: 'POST', url } },
];

/** Rules without gaps: small amounts are allowed, larger ones held for approval, the largest blocked. */
export const AMOUNT_RULES = [
  { id: 'allow', effect: 'ALLOW', reason: 'Small enough.' },
  { id: 'hold', effect: 'REQUIRE_APPROVAL', when: { field: 'amount', op: 'gt', value: 100 }, reason: 'A person looks.' },
  { id: 'block', effect: 'BLOCK', when: { field: 'amount', op: 'gt', value: 1000 }, reason: 'Too much.' },
];
export const SMALL = 1;
export const HELD = 500;
export const BLOCKED = 5000;
