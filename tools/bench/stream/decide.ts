import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRefund } from '../rules.ts';

/**
 * Runs as a process of its own: requests decisions at a rate. Its message states the gateway, the agents, the rate per second and the
 * duration.
 */
type Order = { readonly gatewayUrl: string; readonly tokens: readonly string[]; readonly perSecond: number; readonly seconds: number };

const TICK_MS = 10;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

const decide = (url: string, token: string, index: number): Promise<boolean> =>
  new Promise((resolve) => {
    const body = JSON.stringify(getRefund(index % 1_000));
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    request(`${url}/gateway/v1/actions`, { agent, method: 'POST', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode === 200 || response.statusCode === 201));
    })
      .on('error', () => resolve(false))
      .end(body);
  });

process.on('message', async ({ gatewayUrl, tokens, perSecond, seconds }: Order) => {
  let sent = 0;
  let decided = 0;
  const begun = performance.now();
  const underWay: Promise<void>[] = [];
  while (performance.now() - begun < seconds * 1_000) {
    const due = ((performance.now() - begun) * perSecond) / 1_000;
    for (; sent < due; sent += 1)
      underWay.push(
        decide(gatewayUrl, tokens[sent % tokens.length] as string, sent).then((went) => {
          decided += Number(went);
        }),
      );
    await sleep(TICK_MS);
  }
  await Promise.all(underWay);
  process.send?.({ decided, seconds: (performance.now() - begun) / 1_000 });
});
process.on('disconnect', () => process.exit(0));
