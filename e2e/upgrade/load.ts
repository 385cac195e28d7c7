import { BLOCKED, HELD, SMALL } from '@svc/testing/agents/governed-environment.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import type { Rotation } from './rotation.ts';

export type LoadFailure = { readonly phase: string; readonly request: string; readonly status: number | null; readonly text: string };

export type UpgradeLoad = {
  /** Requests that were answered, and those of them whose answer is not the expected one. */
  readonly counts: () => { readonly requests: number; readonly failures: readonly LoadFailure[] };
  /** Names the phase that failures are reported with. */
  readonly enter: (phase: string) => void;
  /** Resolves after so many more answers. */
  readonly wait: (count: number) => Promise<void>;
  readonly stop: () => Promise<void>;
};

type Settings = {
  readonly control: Rotation;
  readonly gateway: Rotation;
  readonly ownerToken: string;
  readonly workspaceId: string;
  /** Requests a new token of the agent from a gateway. */
  readonly mint: (gatewayUrl: string) => Promise<TestResponse>;
};

const PATIENCE_MS = 30_000;
const KEPT_TEXT = 300;

type Client = {
  readonly settings: Settings;
  readonly send: (request: string, expected: number, work: () => Promise<TestResponse>) => Promise<TestResponse | undefined>;
  readonly newOrder: () => string;
  readonly agentToken: () => string;
};

const act = ({ settings, send, newOrder, agentToken }: Client, expected: number, body: Readonly<Record<string, unknown>>) =>
  send(`act ${String(body.tool)} ${String(body.amount)}`, expected, () =>
    call(settings.gateway.next(), 'POST', '/gateway/v1/actions', {
      token: agentToken(),
      body: { parameters: { order: newOrder() }, ...body },
      signal: AbortSignal.timeout(PATIENCE_MS),
    }),
  );

const manage = ({ settings, send }: Client, method: string, path: string, body?: object) =>
  send(`${method} ${path}`, 200, () =>
    call(settings.control.next(), method, path, {
      token: settings.ownerToken,
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    }),
  );

/** A held action, the vote of the owner, and the action with the approval. */
const actWithApproval = async (client: Client): Promise<void> => {
  const parameters = { order: client.newOrder() };
  const held = await act(client, 403, { tool: 'ship', amount: HELD, parameters });
  const approvalId: unknown = held?.json?.error?.details?.decision?.approval?.approval_id;
  if (typeof approvalId !== 'string') return;
  await manage(client, 'POST', `/v1/approvals/${approvalId}/approve`, {});
  await act(client, 200, { tool: 'ship', amount: HELD, parameters, approval_id: approvalId });
};

const repeat = (times: number, work: (client: Client) => Promise<unknown>) => Array.from({ length: times }, () => work);

const CONNECTIONS: readonly ((client: Client) => Promise<unknown>)[] = [
  ...repeat(6, (client) => act(client, 200, { tool: 'note', amount: SMALL })),
  ...repeat(4, (client) => act(client, 200, { tool: 'ship', amount: SMALL })),
  ...repeat(2, (client) => act(client, 403, { tool: 'note', amount: BLOCKED })),
  ...repeat(2, actWithApproval),
  (client) => manage(client, 'GET', '/v1/agents'),
  (client) => manage(client, 'GET', '/v1/audit-events?limit=20'),
  (client) => manage(client, 'PATCH', `/v1/workspaces/${client.settings.workspaceId}`, { name: client.newOrder() }),
  ({ settings, send }) => send('mint a token', 200, () => settings.mint(settings.gateway.next())),
];

/** Sends requests of agents and people without pause or retry; each is answered as expected or counts as a failure. */
export const startUpgradeLoad = (settings: Settings, agentToken: () => string): UpgradeLoad => {
  const failures: LoadFailure[] = [];
  let [requests, orders, running, phase] = [0, 0, true, 'before'];
  const fail = (request: string, status: number | null, text: string): void =>
    void failures.push({ phase, request, status, text: text.slice(0, KEPT_TEXT) });
  const send: Client['send'] = async (request, expected, work) => {
    const [answer] = await Promise.allSettled([work()]);
    requests += 1;
    if (answer.status === 'rejected') fail(request, null, String(answer.reason));
    else if (answer.value.status !== expected) fail(request, answer.value.status, answer.value.text);
    return answer.status === 'fulfilled' ? answer.value : undefined;
  };
  const newOrder = (): string => {
    orders += 1;
    return `order-${orders}`;
  };
  const client: Client = { settings, send, newOrder, agentToken };
  const connections = CONNECTIONS.map(async (work) => {
    while (running) await work(client);
  });
  return {
    counts: () => ({ requests, failures }),
    enter: (next) => {
      phase = next;
    },
    wait: async (count) => {
      const target = requests + count;
      while (requests < target) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    stop: async () => {
      running = false;
      await Promise.all(connections);
    },
  };
};
