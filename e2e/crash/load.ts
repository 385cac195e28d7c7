import { setTimeout as sleep } from 'node:timers/promises';
import { BLOCKED, HELD, SMALL } from '@svc/testing/agents/governed-environment.ts';
import { call } from '@svc/testing/people/client.ts';

/** Response to one request as the client received it. */
export type Told = {
  readonly order: string;
  readonly tool: string;
  /** Null if the connection broke before the response. */
  readonly status: number | null;
  readonly code: string | null;
  readonly action_id: string | null;
  readonly decision: string | null;
  /** Outcome of the action in the response. */
  readonly outcome: string | null;
  readonly approval_id: string | null;
};

export type Load = {
  /** All responses so far. */
  readonly told: readonly Told[];
  /** Approvals whose vote was answered with 200. */
  readonly granted: readonly string[];
  /** Sends no more requests; resolves when every connection has ended. */
  readonly stop: () => Promise<void>;
};

export type LoadSettings = {
  readonly gatewayUrl: string;
  readonly controlUrl: string;
  readonly agentToken: string;
  readonly ownerToken: string;
};

export type Asked = { readonly tool: string; readonly amount: number; readonly approval_id?: string };

/** Client timeout; no governed action here takes nearly as long. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 100;

/** Requests one governed action. */
export const ask = async (settings: LoadSettings, order: string, asked: Asked, key?: string): Promise<Told> => {
  const answer = await call(settings.gatewayUrl, 'POST', '/gateway/v1/actions', {
    token: settings.agentToken,
    body: { ...asked, parameters: { order } },
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(key ? { headers: { 'idempotency-key': key } } : {}),
  }).catch(() => undefined);
  const said = answer?.status === 200 ? answer.json : answer?.json?.error?.details?.decision;
  return {
    order,
    tool: asked.tool,
    status: answer?.status ?? null,
    code: answer?.json?.error?.code ?? null,
    action_id: said?.action_id ?? null,
    decision: said?.decision ?? null,
    outcome: said?.status ?? null,
    approval_id: said?.approval?.approval_id ?? null,
  };
};

/** True for a final response: not missing, and not an invitation to retry. */
export const isFinal = ({ status }: Told): boolean => status !== null && status !== 503 && status !== 409;

/** An impatient client, with its responses. */
type Client = {
  readonly settings: LoadSettings;
  readonly send: (order: string, asked: Asked, key?: string) => Promise<Told>;
  readonly newOrder: () => string;
  readonly noteGranted: (approvalId: string) => void;
  readonly isRunning: () => boolean;
};

/** Requests each order once, without retries. */
const once = async ({ send, newOrder }: Client, tool: string, amount: number): Promise<void> => {
  await send(newOrder(), { tool, amount });
};

/** Requests one order with one idempotency key until there is a response. */
const withKey = async ({ send, newOrder, isRunning }: Client, tool: string): Promise<void> => {
  const order = newOrder();
  while (isRunning() && !isFinal(await send(order, { tool, amount: SMALL }, order)));
};

const approve = async ({ settings, isRunning, noteGranted }: Client, id: string): Promise<void> => {
  const vote = async (): Promise<number> =>
    (await call(settings.controlUrl, 'POST', `/v1/approvals/${id}/approve`, { token: settings.ownerToken, body: {} })).status;
  let status = await vote();
  for (; isRunning() && status === 503; status = await vote()) await sleep(PAUSE_MS);
  if (status === 200) noteGranted(id);
};

/** Requests an action, has the owner approve it, and uses the approval until there is a response. */
const withApproval = async (client: Client, tool: string): Promise<void> => {
  const order = client.newOrder();
  const asked = { tool, amount: HELD };
  const { approval_id } = await client.send(order, asked);
  if (approval_id === null) return;
  await approve(client, approval_id);
  while (client.isRunning() && !isFinal(await client.send(order, { ...asked, approval_id })));
};

const repeat = (times: number, work: (client: Client) => Promise<void>) => Array.from({ length: times }, () => work);

/** The loops of the connections. */
const CONNECTIONS: readonly ((client: Client) => Promise<void>)[] = [
  ...repeat(5, (client) => once(client, 'note', SMALL)),
  ...repeat(5, (client) => once(client, 'ship', SMALL)),
  (client) => once(client, 'ship-rejected', SMALL),
  (client) => once(client, 'note', BLOCKED),
  ...repeat(2, (client) => withKey(client, 'ship')),
  ...repeat(2, (client) => withApproval(client, 'ship')),
];

/** Opens connections that request governed actions of every kind without pause. */
export const startLoad = (settings: LoadSettings): Load => {
  const told: Told[] = [];
  const granted: string[] = [];
  let running = true;
  let orders = 0;
  const client: Client = {
    settings,
    send: async (order, asked, key) => {
      const one = await ask(settings, order, asked, key);
      told.push(one);
      if (!isFinal(one)) await sleep(PAUSE_MS);
      return one;
    },
    newOrder: () => {
      orders += 1;
      return `order-${orders}`;
    },
    noteGranted: (id) => void granted.push(id),
    isRunning: () => running,
  };
  const connections = CONNECTIONS.map(async (work) => {
    while (running) await work(client);
  });
  return {
    told,
    granted,
    stop: async () => {
      running = false;
      await Promise.all(connections);
    },
  };
};
