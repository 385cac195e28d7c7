import { createServer, type RequestListener } from 'node:http';
import { HOSTILE_ADDRESS } from './attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from './hostile-client.ts';
import type { NeighbourScene } from './scene.ts';

/** Resources of a tenant whose agent calls its own downstream repeatedly. */
export type Calling = { readonly gatewayUrl: string; readonly token: string; readonly tool?: string };

/** Creates another organization whose only tool calls this address. */
export const newCaller = async (
  scene: NeighbourScene,
  url: string,
  more: { readonly rules?: readonly object[]; readonly tests?: readonly object[]; readonly tool?: object } = {},
): Promise<Calling> => {
  const { tool, ...rest } = more;
  const { host } = new URL(url.replace(/\{\w+\}/g, '*'));
  const declared = { kind: 'HTTP', destination_allowlist: [host], execution: { method: 'POST', url }, ...tool };
  const hostile = await scene.newHostile({ ...rest, tool: declared });
  return { gatewayUrl: scene.gatewayUrl, token: hostile.token };
};

/** Address of an adversarial downstream; one at a time. */
export const HOSTILE_DOWNSTREAM = `http://${HOSTILE_ADDRESS}:53601/`;

/** Started in the attacking process, so that it takes no time from the measuring one. */
export const startHostileDownstream = async (listener: RequestListener): Promise<void> => {
  const server = createServer(listener);
  const { hostname, port } = new URL(HOSTILE_DOWNSTREAM);
  await new Promise<void>((resolve) => server.listen(Number(port), hostname, 1_024, resolve));
};

/** Makes so many concurrent calls, each followed by the next. */
export const callWithoutPause = (
  { gatewayUrl, token, tool = 'pay' }: Calling,
  workers: number,
  signal: AbortSignal,
  parametersOf: (turn: number) => object = () => ({}),
): Promise<void> => {
  const agent = createUnauthenticatedAgent(workers);
  return runInParallel(workers, signal, (turn) =>
    ask(agent, gatewayUrl, {
      method: 'POST',
      path: '/gateway/v1/actions',
      token,
      body: JSON.stringify({ tool, parameters: parametersOf(turn) }),
    }),
  );
};
