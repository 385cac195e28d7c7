import type { FreshDatabase } from '../database/database.ts';
import { freePort } from '../processes/free-port.ts';
import { type RunningProcess, startProcess } from '../processes/start-process.ts';
import { getPlaneEnvironment } from './start-planes.ts';

/** A gateway at one address that may be killed and restarted. */
export type RestartableGateway = {
  readonly url: string;
  /** Kills it (kill -9) and waits until it is gone. */
  readonly kill: () => Promise<void>;
  /** Starts the next process; resolves when it is ready. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Returns whether the process runs, and its standard error. */
  readonly state: () => string;
};

/** Starts a gateway whose audience is its listening address. */
export const startRestartableGateway = async (
  database: FreshDatabase,
  env: Readonly<Record<string, string>> = {},
): Promise<RestartableGateway> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = getPlaneEnvironment(database, { SVC_GATEWAY_URL: url, ...env, GATEWAY_PORT: String(port) });
  const run = (): Promise<RunningProcess> => startProcess('apps/gateway/src/main.ts', environment);
  let running = await run();
  return {
    url,
    start: async () => {
      running = await run();
    },
    kill: async () => {
      const { child } = running;
      child.ref();
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    },
    stop: () => running.stop(),
    state: () => `${running.child.exitCode ?? running.child.signalCode ?? 'running'}\n${running.errors()}`,
  };
};
