import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { connectAsOwner } from '../../database/database.ts';
import { type Planes, type PlanesOptions, startPlanes } from '../start-planes.ts';
import { DONE, GATEWAYS, LEASE_SOCKET, type LeaseGrant } from './terms.ts';

const ask = async (socketPath: string, env: Readonly<Record<string, string>>): Promise<Planes> => {
  const socket = connect(socketPath);
  const grant = await new Promise<LeaseGrant>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the planes of the run are gone')));
    createInterface({ input: socket }).once('line', (line) => resolve(JSON.parse(line)));
    socket.write(`${JSON.stringify({ env })}\n`);
  });
  if (!grant.ok) {
    socket.destroy();
    throw new Error(grant.why);
  }
  // A test that does not return its lease may exit all the same; the planes are then discarded.
  socket.unref();
  const leasedAt = new Date();
  const { controlUrl, gatewayUrls, databaseUrl: url, logFile, logStart } = grant;
  return {
    controlUrl,
    gatewayUrls,
    gatewayUrl: gatewayUrls[0] ?? '',
    database: { url, client: () => connectAsOwner(url, leasedAt), drop: () => Promise.resolve() },
    logs: () => readFileSync(logFile).subarray(logStart).toString('utf8'),
    stop: async () => {
      socket.ref().end(`${DONE}\n`);
      if (!socket.closed) await once(socket, 'close');
    },
  };
};

/**
 * Leases a control plane and two gateways exclusively until the test file stops them: they were used before and will be again, so their
 * database is not empty. Any use by HTTP clients and tenants is permitted, and rows may be read and changed; a test that kills a plane,
 * alters a table, ends its connections, or counts rows of the whole installation starts planes of its own.
 */
export const leasePlanes = async ({ env = {} }: Pick<PlanesOptions, 'env'> = {}): Promise<Planes> => {
  const socketPath = process.env[LEASE_SOCKET];
  return socketPath === undefined ? startPlanes({ env, gateways: GATEWAYS }) : ask(socketPath, env);
};
