import { createServer, type RequestListener } from 'node:http';
import { HOSTILE_ADDRESS } from './attack.ts';
import { ask, inParallel, strangerAgent } from './hostile-client.ts';
import type { Scene } from './scene.ts';

/** What a tenant needs that lets its agent call a downstream of its own over and over. */
export type Calling = { readonly gatewayUrl: string; readonly token: string; readonly tool?: string };

/** Another organization, whose one tool calls this address. */
export const newCaller = async (
  scene: Scene,
  url: string,
  more: { readonly rules?: readonly object[]; readonly tests?: readonly object[]; readonly tool?: object } = {},
): Promise<Calling> => {
  const { tool, ...rest } = more;
  const { host } = new URL(url.replace(/\{\w+\}/g, '*'));
  const declared = { kind: 'HTTP', destination_allowlist: [host], execution: { method: 'POST', url }, ...tool };
  const hostile = await scene.newHostile({ ...rest, tool: declared });
  return { gatewayUrl: scene.gatewayUrl, token: hostile.token };
};

/** Where a hostile downstream is; one at a time. */
export const HOSTILE_DOWNSTREAM = `http://${HOSTILE_ADDRESS}:53601/`;

/** In the process that spends, so that it takes no time from the one that measures. */
export const startHostileDownstream = async (listener: RequestListener): Promise<void> => {
  const server = createServer(listener);
  const { hostname, port } = new URL(HOSTILE_DOWNSTREAM);
  await new Promise<void>((resolve) => server.listen(Number(port), hostname, 1_024, resolve));
};

/** So many calls at once, each followed by the next. */
export const callWithoutPause = (
  { gatewayUrl, token, tool = 'pay' }: Calling,
  workers: number,
  signal: AbortSignal,
  parametersOf: (turn: number) => object = () => ({}),
): Promise<void> => {
  const agent = strangerAgent(workers);
  return inParallel(workers, signal, (turn) =>
    ask(agent, gatewayUrl, {
      method: 'POST',
      path: '/gateway/v1/actions',
      token,
      body: JSON.stringify({ tool, parameters: parametersOf(turn) }),
    }),
  );
};
