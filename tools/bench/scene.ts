import type { PolicyRule, PolicyTestCase } from '@svc/contract/policies/language.ts';
import { newAgent, type TestAgent } from '@svc/testing/agents/agent.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { CALLING_TOOL, CAPABILITY, PARAMETERS_SCHEMA, RULES, TESTS, TOOL } from './rules.ts';

/** Agents that may all use one tool under active rules, and a person's session for the control plane. */
export type BenchScene = { readonly agents: readonly TestAgent[]; readonly callerToken: string };

/** Response of the downstream of executed calls. */
export const DOWNSTREAM_BODY = JSON.stringify({ id: 're_1', refunded: true });
export const DOWNSTREAM_PROOF = '"refunded":true';

export type ScenePolicy = { readonly name: string; readonly rules: readonly PolicyRule[]; readonly tests: readonly PolicyTestCase[] };

const TWENTY_RULES: readonly ScenePolicy[] = [{ name: 'Refunds', rules: RULES, tests: TESTS }];

type SceneOptions = {
  readonly policies?: readonly ScenePolicy[];
  /** Port of the executed tool's downstream; without it there is no such tool. */
  readonly downstreamPort?: number;
};

const listTools = (environment_id: string | undefined, downstreamPort: number | undefined): readonly object[] => {
  const declared = { environment_id, required_capability: CAPABILITY, parameters_schema: PARAMETERS_SCHEMA };
  const tool = { ...declared, name: TOOL, kind: 'SDK', amount_from: '/amount', currency_from: '/currency' };
  if (downstreamPort === undefined) return [tool];
  const host = `127.0.0.1:${downstreamPort}`;
  const execution = { method: 'POST', url: `http://${host}/refunds` };
  return [tool, { ...tool, name: CALLING_TOOL, kind: 'HTTP', destination_allowlist: [host], execution }];
};

/** Sets everything up through the public interface, like a customer. */
export const setScene = async (controlUrl: string, agentCount: number, options: SceneOptions = {}): Promise<BenchScene> => {
  const { policies = TWENTY_RULES, downstreamPort } = options;
  const tenant = await newTenant({ controlUrl });
  await stepUp(controlUrl, tenant);
  const { token, environment_id } = tenant;
  const tools: string[] = [];
  for (const body of listTools(environment_id, downstreamPort))
    tools.push((await mustCall(controlUrl, 'POST', '/v1/tools', { token, body })).id);
  for (const { name, rules, tests } of policies) await activateRules(tenant, name, rules, tests);
  const agents: TestAgent[] = [];
  for (let index = 0; index < agentCount; index += 1) {
    const agent = await newAgent(tenant, { capabilities: [CAPABILITY] });
    for (const id of tools) await mustCall(controlUrl, 'POST', `/v1/tools/${id}/agents`, { token, body: { agent_id: agent.id } });
    agents.push(agent);
  }
  return { agents, callerToken: token };
};
