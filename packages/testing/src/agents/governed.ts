import { call, mustCall, type TestResponse } from '../people/client.ts';
import { newTenant, stepUp, type Tenant } from '../people/tenant.ts';
import type { Planes } from '../planes/start-planes.ts';
import { mintToken, newAgent, type TestAgent } from './agent.ts';

/** A tenant in which one agent may use one tool under one active policy. */
export type Governed = {
  readonly planes: Planes;
  readonly tenant: Tenant;
  readonly agent: TestAgent;
  readonly token: string;
  readonly tool: { readonly id: string; readonly name: string };
  readonly policyId: string;
  /** Sends an agent's request to one of the gateways. */
  readonly act: (
    body: object,
    options?: { readonly token?: string; readonly key?: string; readonly gateway?: number },
  ) => Promise<TestResponse>;
  /** Sends a request of the owner, who has stepped up. */
  readonly owner: (method: string, path: string, body?: unknown) => Promise<TestResponse>;
};

export type GovernedOptions = { readonly rules?: readonly object[]; readonly tests?: readonly object[]; readonly tool?: object };

const ALLOW_ALL = [{ id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' }];

/** Creates a policy and activates its first version. */
export const activateRules = async (tenant: Tenant, name: string, rules: readonly object[], tests?: readonly object[]): Promise<string> => {
  const { controlUrl, token } = tenant;
  const [first] = rules as readonly { effect: string }[];
  const cases = tests ?? [{ name: 'first rule', given: {}, then: { effect: first?.effect } }];
  const policy = await mustCall(controlUrl, 'POST', '/v1/policies', { token, body: { name, rules, tests: cases } });
  // In some tests the approver joins later.
  const body = { version_id: policy.versions[0].version_id, reason: 'test', accept_warnings: true };
  await mustCall(controlUrl, 'POST', `/v1/policies/${policy.id}/activate`, { token, body });
  return policy.id;
};

export const newGoverned = async (planes: Planes, options: GovernedOptions = {}): Promise<Governed> => {
  const tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  const agent = await newAgent(tenant, { capabilities: ['pay'] });
  const { controlUrl, token: session, environment_id } = tenant;
  const declared = { name: 'pay', environment_id, required_capability: 'pay', kind: 'SDK', ...options.tool };
  const tool = await mustCall(controlUrl, 'POST', '/v1/tools', { token: session, body: declared });
  await mustCall(controlUrl, 'POST', `/v1/tools/${tool.id}/agents`, { token: session, body: { agent_id: agent.id } });
  const policyId = await activateRules(tenant, 'base', options.rules ?? ALLOW_ALL, options.tests);
  const token = await mintToken(planes.gatewayUrl, agent);
  return {
    planes,
    tenant,
    agent,
    token,
    tool,
    policyId,
    act: (body, { token: other, key, gateway = 0 } = {}) =>
      call(planes.gatewayUrls[gateway] ?? planes.gatewayUrl, 'POST', '/gateway/v1/actions', {
        token: other ?? token,
        body: { tool: tool.name, ...body },
        ...(key ? { headers: { 'idempotency-key': key } } : {}),
      }),
    owner: (method, path, body) => call(controlUrl, method, path, { token: session, ...(body === undefined ? {} : { body }) }),
  };
};
