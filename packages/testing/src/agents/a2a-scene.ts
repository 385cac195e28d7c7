import { type A2aAgent, startA2aAgent } from '../peers/a2a-agent.ts';
import { call, type TestResponse } from '../people/client.ts';
import type { Planes } from '../planes/start-planes.ts';
import { type Governed, type GovernedOptions, newGoverned } from './governed.ts';

/** An agent with a registered connection to a remote agent, which it may use once the connection is verified. */
export type A2aScene = Governed & {
  readonly remote: A2aAgent;
  readonly connectionId: string;
  readonly toolName: string;
  readonly path: string;
  readonly verify: (body?: object) => Promise<TestResponse>;
  readonly block: () => Promise<TestResponse>;
  /** Sends a JSON-RPC request of the agent to the endpoint of the connection. */
  readonly ask: (method: string, params: object, options?: { readonly gateway?: number; readonly token?: string }) => Promise<TestResponse>;
  readonly say: (text: string) => Promise<TestResponse>;
  readonly close: () => Promise<void>;
};

let messages = 0;

/** Builds a user message in the protocol's format. */
export const newA2aMessage = (text: string, more: object = {}): object => {
  messages += 1;
  return { messageId: `message-${messages}`, role: 'ROLE_USER', parts: [{ text }], ...more };
};

export const newA2aScene = async (
  planes: Planes,
  options: GovernedOptions & { readonly offersPushes?: boolean } = {},
): Promise<A2aScene> => {
  const governed = await newGoverned(planes, options);
  const { owner, tenant, agent } = governed;
  const remote = await startA2aAgent();
  remote.offersPushes = options.offersPushes ?? false;
  const must = (answer: TestResponse): TestResponse => {
    if (answer.status >= 300) throw new Error(answer.text);
    return answer;
  };
  const { json } = must(
    await owner('POST', '/v1/a2a/connections', {
      ...{ name: 'Partner', environment_id: tenant.environment_id, card_url: remote.cardUrl, keys: [remote.key.jwk] },
    }),
  );
  const connectionId: string = json.id;
  must(await owner('POST', `/v1/agents/${agent.id}/capabilities`, { capability: json.required_capability }));
  must(await owner('POST', `/v1/tools/${json.tool_id}/agents`, { agent_id: agent.id }));
  const path = `/gateway/v1/a2a/${connectionId}`;
  const ask: A2aScene['ask'] = (method, params, { gateway = 0, token } = {}) =>
    call(planes.gatewayUrls[gateway] ?? planes.gatewayUrl, 'POST', path, {
      token: token ?? governed.token,
      body: { jsonrpc: '2.0', id: 1, method, params },
      headers: { 'a2a-version': '1.0', accept: 'application/json, text/event-stream' },
    });
  return {
    ...governed,
    ...{ remote, connectionId, toolName: json.tool_name, path, ask },
    verify: (body = {}) => owner('POST', `/v1/a2a/connections/${connectionId}/verify`, body),
    block: () => owner('POST', `/v1/a2a/connections/${connectionId}/block`, { reason: 'test' }),
    say: (text) => ask('SendMessage', { message: newA2aMessage(text) }),
    close: remote.close,
  };
};
