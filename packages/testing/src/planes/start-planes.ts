import type { ChildProcess } from 'node:child_process';
import { createFreshDatabase, type FreshDatabase } from '../database/database.ts';
import { TEST_MASTER_KEY } from '../database/master-key.ts';
import { freePort } from '../processes/free-port.ts';
import { type RunningProcess, startProcess } from '../processes/start-process.ts';

export type PlanesOptions = {
  /** Settings that extend or override those below, for every process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Number of gateways. Default: 1. */
  readonly gateways?: number;
  /** Starts a worker that runs the jobs and sends mails, and consumes no events. Default: true. */
  readonly jobs?: boolean;
  /** A migrated database to use; the caller drops it. Default: a new one, dropped at the end. */
  readonly database?: FreshDatabase;
};

/** One control plane and its gateways, each a real process, on one database, leased or started. */
export type Planes = {
  readonly controlUrl: string;
  /** Address of the first gateway; empty without one. */
  readonly gatewayUrl: string;
  readonly gatewayUrls: readonly string[];
  readonly database: FreshDatabase;
  /** Returns the standard error of all processes since the test has them. */
  readonly logs: () => string;
  /** Stops them, or returns their lease. */
  readonly stop: () => Promise<void>;
};

/** Planes started for one test, which may halt and kill them. */
export type StartedPlanes = Planes & {
  readonly control: ChildProcess;
  readonly gateways: readonly ChildProcess[];
  /** The worker that runs the jobs; undefined if none does. */
  readonly jobs: ChildProcess | undefined;
  /** Ready lines of the gateways. */
  readonly announcedByGateways: readonly Readonly<Record<string, unknown>>[];
  /** The control plane's one-time set-up link, or null. */
  readonly setupUrl: string | null;
};

/** Without user and password: the planes log in with their own roles. */
const withoutOwner = (ownerUrl: string): string => {
  const url = new URL(ownerUrl);
  url.username = '';
  url.password = '';
  return url.href;
};

const RATES = ['LOGIN', 'CONTROL_PLANE', 'GATEWAY_TOKEN', 'GATEWAY_ACTIONS'].map((name) => [`SVC_RATE_${name}_PER_MINUTE`, '1000000']);

/** Returns the default environment of a plane. */
export const getPlaneEnvironment = (database: FreshDatabase, env: PlanesOptions['env'] = {}): Record<string, string> => ({
  DATABASE_URL: withoutOwner(database.url),
  SVC_MASTER_KEY: TEST_MASTER_KEY,
  HOST: '127.0.0.1',
  CONTROL_PLANE_PORT: '0',
  GATEWAY_PORT: '0',
  LOG_LEVEL: 'error',
  SVC_SIGNUP: 'open',
  // A worker that a test starts consumes events; `startPlanes` starts one for the jobs.
  SVC_WORKER_RUNS: 'feed',
  ...Object.fromEntries(RATES),
  ...env,
});

/** Starts all concurrently; if one fails, stops the others and throws its reason. */
const startAll = async (starts: readonly Promise<RunningProcess>[]): Promise<RunningProcess[]> => {
  const outcomes = await Promise.allSettled(starts);
  const running = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (!failed) return running;
  await Promise.all(running.map(({ stop }) => stop()));
  throw failed.reason;
};

/** Starts a worker that runs the jobs and consumes no events. */
const startJobs = ({ jobs = true }: PlanesOptions, environment: Readonly<Record<string, string>>) =>
  jobs
    ? startProcess('apps/worker/src/main.ts', {
        ...(environment.SMTP_URL === undefined ? { SVC_MAIL: 'outbox' } : {}),
        ...environment,
        SVC_WORKER_RUNS: 'jobs',
      })
    : Promise.resolve(undefined);

const PORT_TRIES = 3;

/** Retries with other ports if another program takes one between its choice and the start. */
const withFreePorts = async <Started>(count: number, start: (ports: readonly number[]) => Promise<Started>): Promise<Started> => {
  for (let tries = 1; ; tries += 1) {
    try {
      // Agents sign for one address at any gateway, so it is fixed before any of them starts.
      return await start(await Promise.all(Array.from({ length: count }, freePort)));
    } catch (error) {
      if (tries === PORT_TRIES || !/ is taken by another program/.test(String(error))) throw error;
    }
  }
};

/** Starts both planes and a worker for the jobs on a new database; returns when all of them are ready. */
export const startPlanes = async (options: PlanesOptions = {}): Promise<StartedPlanes> => {
  const database = options.database ?? (await createFreshDatabase());
  const environment = getPlaneEnvironment(database, options.env);
  const dropIfOurs = async (): Promise<void> => (options.database ? undefined : database.drop());
  const start = async (ports: readonly number[]) => {
    const gatewayUrls = ports.map((port) => `http://127.0.0.1:${port}`);
    const urls = gatewayUrls[0] ? { SVC_GATEWAY_URL: gatewayUrls[0] } : {};
    const started = await startAll([
      startProcess('apps/control-plane/src/main.ts', { ...urls, ...environment }),
      ...ports.map((port) => startProcess('apps/gateway/src/main.ts', { ...urls, ...environment, GATEWAY_PORT: String(port) })),
    ]);
    return { gatewayUrls, started };
  };
  const { gatewayUrls, started } = await withFreePorts(options.gateways ?? 1, start).catch(async (error: unknown) => {
    await dropIfOurs();
    throw error;
  });
  const [control, ...gateways] = started;
  if (!control) throw new Error('no control plane was started');
  const stopPlanes = async (): Promise<void> => {
    await Promise.all(started.map((each) => each.stop()));
  };
  const urls = { SVC_BASE_URL: control.url, ...(gatewayUrls[0] ? { SVC_GATEWAY_URL: gatewayUrls[0] } : {}) };
  const jobs = await startJobs(options, { ...urls, ...environment }).catch(async (error: unknown) => {
    await stopPlanes();
    await dropIfOurs();
    throw error;
  });
  const all = [...started, ...(jobs ? [jobs] : [])];
  const stop = async (): Promise<void> => {
    await Promise.all([stopPlanes(), jobs?.stop()]);
    await dropIfOurs();
  };
  return {
    controlUrl: control.url,
    gatewayUrl: gatewayUrls[0] ?? '',
    gatewayUrls,
    database,
    control: control.child,
    gateways: gateways.map(({ child }) => child),
    jobs: jobs?.child,
    announcedByGateways: gateways.map(({ announced }) => announced),
    setupUrl: (control.announced.setup_url as string | null | undefined) ?? null,
    logs: () => all.map((each) => each.errors()).join(''),
    stop,
  };
};
