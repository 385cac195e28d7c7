import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFreshDatabase } from './database/database.ts';
import { holdServer, testDataDir } from './database/hold-server.ts';
import { type LeaseServer, serveLeases } from './planes/lease/serve-leases.ts';
import { LEASE_SOCKET } from './planes/lease/terms.ts';
import { bundlePrograms } from './processes/bundle-programs.ts';
import { BUNDLES } from './processes/start-process.ts';

const stopTimeoutMs = 10_000;

let leases: LeaseServer | undefined;

/**
 * Runs before all tests: starts the server, bundles the programs and builds the template, so that no test has to, and serves leases of
 * planes.
 */
export const globalSetup = async (): Promise<void> => {
  const bundles = bundlePrograms();
  const { drop } = await createFreshDatabase();
  await drop();
  process.env[BUNDLES] = await bundles;
  leases = await serveLeases();
  process.env[LEASE_SOCKET] = leases.socketPath;
};

/**
 * Runs after all tests: stops the leased planes and waits for the server to stop, unless another run still uses it; an in-memory folder is
 * deleted.
 */
export const globalTeardown = async (): Promise<void> => {
  await leases?.close();
  const { release } = await holdServer();
  await release();
  const lock = path.join(testDataDir, 'postgres', 'postmaster.pid');
  for (const until = Date.now() + stopTimeoutMs; existsSync(lock) && Date.now() < until; ) await sleep(50);
  if (process.env.TEST_DATA_DIR !== undefined && !existsSync(lock)) rmSync(testDataDir, { recursive: true, force: true });
};
