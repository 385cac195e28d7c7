import { call, mustCall, type TestResponse } from '../people/client.ts';
import type { Planes } from '../planes/start-planes.ts';
import { mintToken, newAgent, type TestAgent } from './agent.ts';
import { type Governed, newGoverned } from './governed.ts';

/** A governed tenant with some agents that may all use its tool, and their tokens. */
export type Delegating = Governed & {
  readonly agents: readonly (TestAgent & { readonly token: string })[];
  /** Delegates as the owner. */
  readonly delegate: (body: object) => Promise<TestResponse>;
  /** Delegates as one of the agents, at the gateway. */
  readonly handOn: (agent: number, body: object, key?: string) => Promise<TestResponse>;
  /** Returns the id of a new delegation by the owner. */
  readonly root: (agent: number, body?: object) => Promise<string>;
  /** Returns the id of a new delegation from one agent to another, below a parent. */
  readonly child: (from: number, to: number, parent_id: string, body?: object) => Promise<string>;
  readonly actAs: (agent: number, body: object, gateway?: number) => Promise<TestResponse>;
};

const readId = (answer: TestResponse): string => {
  if (answer.status !== 201) throw new Error(`a delegation was refused: ${answer.text}`);
  return answer.json.id;
};

export const newDelegating = async (
  planes: Planes,
  count: number,
  options: Parameters<typeof newGoverned>[1] = {},
): Promise<Delegating> => {
  const governed = await newGoverned(planes, options);
  const { tenant, tool } = governed;
  const post = (path: string, body: object) => mustCall(tenant.controlUrl, 'POST', path, { token: tenant.token, body });
  const agents: (TestAgent & { token: string })[] = [];
  for (let n = 0; n < count; n += 1) {
    const agent = await newAgent(tenant, { capabilities: ['pay', 'read', 'write'] });
    await post(`/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
    agents.push({ ...agent, token: await mintToken(planes.gatewayUrl, agent) });
  }
  const agentAt = (n: number) => {
    const agent = agents[n];
    if (!agent) throw new Error(`there is no agent ${n}`);
    return agent;
  };
  const delegate = (body: object) => governed.owner('POST', '/v1/delegations', body);
  const handOn = (agent: number, body: object, key?: string) =>
    call(planes.gatewayUrl, 'POST', '/gateway/v1/delegations', {
      token: agentAt(agent).token,
      body,
      ...(key ? { headers: { 'idempotency-key': key } } : {}),
    });
  return {
    ...governed,
    agents,
    delegate,
    handOn,
    root: async (agent, body = {}) =>
      readId(await delegate({ delegate_agent_id: agentAt(agent).id, can_redelegate: true, max_depth: 5, ...body })),
    child: async (from, to, parent_id, body = {}) => readId(await handOn(from, { delegate_agent_id: agentAt(to).id, parent_id, ...body })),
    actAs: (agent, body, gateway = 0) => governed.act(body, { token: agentAt(agent).token, gateway }),
  };
};
