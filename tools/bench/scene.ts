import type { PolicyRule, PolicyTestCase } from '@svc/contract/policies/language.ts';
import { newAgent, type TestAgent } from '@svc/testing/agents/agent.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { CAPABILITY, PARAMETERS_SCHEMA, RULES, TESTS, TOOL } from './rules.ts';

/** Agents that may all use one tool under active rules, and a person's session for the control plane. */
export type Scene = { readonly agents: readonly TestAgent[]; readonly callerToken: string };

export type ScenePolicy = { readonly name: string; readonly rules: readonly PolicyRule[]; readonly tests: readonly PolicyTestCase[] };

const TWENTY_RULES: readonly ScenePolicy[] = [{ name: 'Refunds', rules: RULES, tests: TESTS }];

/** Sets everything up through the public interface, as a customer would. */
export const setScene = async (controlUrl: string, agentCount: number, policies = TWENTY_RULES): Promise<Scene> => {
  const tenant = await newTenant({ controlUrl });
  await stepUp(controlUrl, tenant);
  const { token, environment_id } = tenant;
  const declared = { name: TOOL, environment_id, required_capability: CAPABILITY, kind: 'SDK', parameters_schema: PARAMETERS_SCHEMA };
  const tool = await mustCall(controlUrl, 'POST', '/v1/tools', {
    token,
    body: { ...declared, amount_from: '/amount', currency_from: '/currency' },
  });
  for (const { name, rules, tests } of policies) await activateRules(tenant, name, rules, tests);
  const agents: TestAgent[] = [];
  for (let index = 0; index < agentCount; index += 1) {
    const agent = await newAgent(tenant, { capabilities: [CAPABILITY] });
    await mustCall(controlUrl, 'POST', `/v1/tools/${tool.id}/agents`, { token, body: { agent_id: agent.id } });
    agents.push(agent);
  }
  return { agents, callerToken: token };
};
