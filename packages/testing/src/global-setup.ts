import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase } from './database/database.ts';
import { holdServer, testDataDir } from './database/hold-server.ts';

const stoppedWithinMs = 10_000;

/** Before all tests: the server runs and the template is built, so that no test pays for it. */
export const globalSetup = async (): Promise<void> => {
  const { drop } = await freshDatabase();
  await drop();
};

/** After all tests: waits for the server to stop, unless another run still uses it. */
export const globalTeardown = async (): Promise<void> => {
  const { release } = await holdServer();
  await release();
  const lock = path.join(testDataDir, 'postgres', 'postmaster.pid');
  for (const until = Date.now() + stoppedWithinMs; existsSync(lock) && Date.now() < until; ) await sleep(50);
};
