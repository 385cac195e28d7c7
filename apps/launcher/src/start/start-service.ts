import type { KeyObject } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SETTINGS } from '@svc/contract/tables/limits.ts';
import { writeInstallationKey } from '@svc/keyring/sealed/installation-key.ts';
import { INSTALLATION_KEY_BYTES } from '@svc/keyring/sealed/master-key.ts';
import type { MasterKey } from '@svc/program/keys/master-key.ts';
import { buildReachableUrl } from '@svc/program/settings/reachable-url.ts';
import { readSetting } from '@svc/program/settings/read-setting.ts';
import { type BundledProgram, getRunnable } from '../bundle/bundle-folder.ts';
import { provideBundles } from '../bundle/provide-bundles.ts';
import { writeRun } from '../data-folder/run-claim.ts';
import { migrateDatabase, ownDatabase, type RunningDatabase, removeCredentials } from '../database/prepare-database.ts';
import { type SupervisedDatabase, superviseDatabase } from '../database/supervise-database.ts';
import { retryUntilDatabaseAnswers, type WaitTerms } from '../database/until-database-answers.ts';
import { LaunchFault } from '../faults/launch-fault.ts';
import { providePages } from '../pages/provide-pages.ts';
import { type KeptPlane, keepPlane } from '../planes/keep-plane.ts';
import { showMail } from '../planes/show-mail.ts';
import type { ReadyLine } from '../planes/start-plane.ts';
import { getSandboxPortFile, startSandbox } from '../sandbox/sandbox.ts';
import type { LauncherSettings } from '../settings/settings.ts';
import type { Stoppable } from '../stop/stop-in-order.ts';
import { checkAll } from './check-all.ts';
import { openStandIns } from './stand-in.ts';

export type Launch = {
  readonly env: NodeJS.ProcessEnv;
  readonly projectRoot: string;
  readonly log: (line: string) => void;
  /** Aborted when the start is cancelled. */
  readonly signal: AbortSignal;
  /** Everything started so far, in the order to stop it; filled during the start, so that a partial start can be undone. */
  readonly started: Stoppable[][];
};

export type StartedService = {
  readonly controlUrl: string;
  readonly gatewayUrl: string;
  /** The public address of the gateway, for which agents sign. */
  readonly audience: string;
  /** Usable once, for the first organization; undefined if there is one. A secret. */
  readonly setupUrl: string | undefined;
  /** Problems that keep the planes and the worker from serving, a sentence for each. */
  readonly warnings: readonly string[];
  readonly sandboxOrigin: string;
  /** True if mails stay on this machine. */
  readonly hasOutbox: boolean;
  readonly settings: LauncherSettings;
  /** Resolves with a sentence when a part ends unexpectedly. */
  readonly broken: Promise<string>;
};

/** Output and stand-ins of a start that waits for its database. */
const waitTerms = ({ log, signal }: Launch, host: string, ports: readonly number[], standIns: Stoppable[]): WaitTerms => ({
  signal,
  onWait: async ({ message }) => {
    log(`${message} The start waits for it.`);
    if (standIns.length === 0) standIns.push(await openStandIns(host, ports));
  },
});

/** Starts and keeps the embedded database; one at a configured address is only used. */
const provideDatabase = async ({ log }: Launch, { dataDir, databaseUrl }: LauncherSettings): Promise<ProvidedDatabase> => {
  if (databaseUrl !== undefined) return { ...ownDatabase(databaseUrl), broken: new Promise(() => {}) };
  return { ...(await superviseDatabase(dataDir, log)), isOwn: false };
};

type ProvidedDatabase = RunningDatabase & Pick<SupervisedDatabase, 'broken'>;

const prepareDatabase = async ({ log }: Launch, database: RunningDatabase, masterKey: MasterKey, terms: WaitTerms): Promise<KeyObject> => {
  const { key, platformKey, unforgotten } = await retryUntilDatabaseAnswers(() => migrateDatabase(database, masterKey), terms);
  if (platformKey !== undefined) log(`No platform key was in use: ${platformKey} was made, which signs from now on.`);
  if (unforgotten !== undefined) log(unforgotten);
  return key;
};

/** Options that every program is started with; `bundles` is their folder, if they could be built. */
type Starting = {
  readonly launch: Launch;
  readonly settings: LauncherSettings;
  readonly env: NodeJS.ProcessEnv;
  readonly bundles: string | undefined;
};

/** Starts both planes and the worker, and updates the record of their processes at each restart. */
const startPlanes = (starting: Starting, whereabouts: Parameters<typeof writeRun>[1]): readonly KeptPlane[] => {
  const { launch, settings } = starting;
  const noteRun = (): void =>
    writeRun(
      settings.dataDir,
      whereabouts,
      planes.map(({ identity }) => identity()),
    );
  const planes: readonly KeptPlane[] = [
    newPlane('control plane', 'control-plane', starting, noteRun),
    newPlane('gateway', 'gateway', starting, noteRun),
    newPlane('worker', 'worker', starting, noteRun),
  ];
  launch.started.unshift([...planes]);
  noteRun();
  return planes;
};

/**
 * Checks everything that can be checked, then starts the database, the sandbox receiver, both planes and the worker. Throws a LaunchFault.
 */
export const startService = async (launch: Launch): Promise<StartedService> => {
  const standIns: Stoppable[] = [];
  launch.started.unshift(standIns);
  const { settings, ports, masterKey } = await checkAll(launch, (host, ports) => waitTerms(launch, host, ports, standIns));
  const [controlPort, gatewayPort] = ports as [number, number];
  const bundled = provideBundles(launch);
  const pages = providePages(launch);
  const database = await provideDatabase(launch, settings);
  launch.started.unshift([database]);
  launch.signal.throwIfAborted();
  const key = await prepareDatabase(launch, database, masterKey, waitTerms(launch, settings.host, ports, standIns));
  const sandbox = await startSandbox(getSandboxPortFile(settings.dataDir));
  launch.started.unshift([{ name: 'sandbox', stop: sandbox.stop }]);
  launch.signal.throwIfAborted();
  const urls = { control: buildReachableUrl(settings.host, controlPort), gateway: buildReachableUrl(settings.host, gatewayPort) };
  const env = planeEnvironment(launch, settings, {
    [SETTINGS.controlPlanePort]: String(controlPort),
    [SETTINGS.gatewayPort]: String(gatewayPort),
    [SETTINGS.databaseUrl]: removeCredentials(database.ownerUrl),
    ...keyEnvironment(key),
    SVC_BASE_URL: launch.env.SVC_BASE_URL ?? urls.control,
    SVC_GATEWAY_URL: launch.env.SVC_GATEWAY_URL ?? urls.gateway,
    SVC_SANDBOX_ORIGIN: sandbox.origin,
    // The worker sends what the control plane announces, so neither uses a default of its own.
    SVC_MAIL: String(readSetting('SVC_MAIL', launch.env, 'control-plane').value),
  });
  const [bundles] = await Promise.all([bundled, pages]);
  launch.signal.throwIfAborted();
  for (const standIn of standIns.splice(0)) await standIn.stop(Promise.resolve());
  const whereabouts = { controlUrl: urls.control, gatewayUrl: urls.gateway, sandboxOrigin: sandbox.origin, sandboxKey: sandbox.key };
  const planes = startPlanes({ launch, settings, env, bundles }, whereabouts);
  const ready = (await allReady(planes, launch.signal)) as [ReadyLine, ReadyLine, ReadyLine];
  return {
    ...toldBy(...ready),
    sandboxOrigin: sandbox.origin,
    hasOutbox: readSetting('SVC_MAIL', env, 'control-plane').value === 'outbox',
    settings,
    broken: Promise.race([database.broken, ...planes.map(({ broken }) => broken)]),
  };
};

const toldBy = (control: ReadyLine, gateway: ReadyLine, worker: ReadyLine) => ({
  controlUrl: control.url ?? '',
  gatewayUrl: gateway.url ?? '',
  audience: gateway.audience ?? gateway.url ?? '',
  setupUrl: control.setup_url ?? undefined,
  warnings: [...new Set([control, gateway, worker].flatMap(({ warnings = [] }) => warnings))],
});

const compileFolder = ({ env, projectRoot }: Launch): string => env.NODE_COMPILE_CACHE ?? path.join(projectRoot, '.cache', 'node');

const planeEnvironment = (launch: Launch, settings: LauncherSettings, own: Record<string, string>): NodeJS.ProcessEnv => ({
  ...launch.env,
  [SETTINGS.host]: settings.host,
  // Compiled code is cached, which shortens every start but the first.
  NODE_COMPILE_CACHE: compileFolder(launch),
  ...own,
});

/** A plane gets the installation key, but not the master key, its file or its command. */
const keyEnvironment = (key: KeyObject): Record<string, string> => {
  const isDirect = key.symmetricKeySize !== INSTALLATION_KEY_BYTES;
  return {
    [SETTINGS.masterKey]: isDirect ? writeInstallationKey(key) : '',
    SVC_MASTER_KEY_FILE: '',
    SVC_MASTER_KEY_COMMAND: '',
    SVC_INSTALLATION_KEY: isDirect ? '' : writeInstallationKey(key),
  };
};

const newPlane = (name: string, program: BundledProgram, { launch, settings, env, bundles }: Starting, noteRun: () => void): KeptPlane =>
  keepPlane({
    name,
    program,
    mainOf: () => getRunnable(launch.projectRoot, bundles, program),
    env,
    logFile: path.join(settings.dataDir, `${program}.log`),
    tell: launch.log,
    onMessage: (message) => showMail(message, launch.log),
    onRestart: (line) => {
      noteRun();
      // The link of the dead process ended with the start of this one.
      if (line?.setup_url) launch.log(`  First set-up      ${line.setup_url} (works once)`);
    },
  });

/** If one refuses to start, the other is awaited for a moment too, so that its faults are reported together. */
const allReady = async (planes: readonly KeptPlane[], signal: AbortSignal): Promise<readonly ReadyLine[]> => {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const ready = Promise.all(planes.map((plane) => plane.ready));
  try {
    return await Promise.race([ready, aborted]);
  } catch (error) {
    if (!(error instanceof LaunchFault)) throw error;
    const outcomes = await Promise.all(planes.map((plane) => Promise.race([Promise.allSettled([plane.ready]), sleep(1_000, [])])));
    const faults = outcomes
      .flat()
      .flatMap((outcome) => (outcome.status === 'rejected' && outcome.reason instanceof LaunchFault ? outcome.reason.faults : []));
    throw new LaunchFault(...new Set([...error.faults, ...faults]));
  }
};
