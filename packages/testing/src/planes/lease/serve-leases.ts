import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { newPool, type Pool } from './pool.ts';
import { type ReadyPlanes, startReadyPlanes } from './ready-planes.ts';
import { DONE, type LeaseGrant, type LeaseRequest } from './terms.ts';

export type LeaseServer = { readonly socketPath: string; readonly close: () => Promise<void> };

/** Equal settings in another order are the same kind of planes. */
const getKind = ({ env }: LeaseRequest): string => JSON.stringify(Object.entries(env).sort(([one], [other]) => (one < other ? -1 : 1)));

const lease = (socket: Socket, pool: Pool<ReadyPlanes>): void => {
  const lines = createInterface({ input: socket });
  const ended = new Promise<void>((resolve) => socket.once('end', resolve).once('close', () => resolve()));
  const send = (grant: LeaseGrant) => socket.write(`${JSON.stringify(grant)}\n`);
  let done = false;
  const serve = async (request: LeaseRequest): Promise<void> => {
    const planes = await pool.take(getKind(request));
    send(planes.grant());
    await ended;
    await pool.giveBack(planes, { spoilt: !done });
  };
  socket.on('error', () => undefined);
  // A lease that is never returned does not prevent an exit.
  socket.unref();
  lines.on('line', (line) => {
    if (line === DONE) done = true;
    else serve(JSON.parse(line)).catch((error: unknown) => send({ ok: false, why: String(error) }));
  });
};

/** Serves leases of planes over a Unix socket; planes are started on the first request of their kind. */
export const serveLeases = async (): Promise<LeaseServer> => {
  const home = mkdtempSync(path.join(tmpdir(), 'svc-planes-'));
  const socketPath = path.join(home, 'lease');
  let made = 0;
  let before: Promise<unknown> = Promise.resolve();
  // One at a time: three processes keep the cores busy, and nine would all be ready later.
  const make = (kind: string): Promise<ReadyPlanes> => {
    made += 1;
    const logFile = path.join(home, `${made}.log`);
    const started = before.then(() => startReadyPlanes(Object.fromEntries(JSON.parse(kind)), logFile));
    before = started.catch(() => undefined);
    return started;
  };
  const report = (unfit: string): void => console.error(`Leased planes were returned unfit and are not reused: ${unfit}.`);
  const pool = newPool(make, { report });
  const server = createServer((socket) => lease(socket, pool));
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  server.unref();
  return {
    socketPath,
    close: async () => {
      server.close();
      await pool.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
};
