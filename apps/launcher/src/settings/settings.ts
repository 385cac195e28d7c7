import path from 'node:path';
import { SETTINGS } from '@svc/contract/tables/limits.ts';
import type { MasterKey } from '@svc/program/keys/master-key.ts';
import { readMetricsSetting } from '@svc/program/metrics/read-metrics-setting.ts';
import { commandEnvironment, namedMasterKey } from '@svc/program/settings/read-master-key.ts';
import { type Env, readSetting } from '@svc/program/settings/read-setting.ts';
import { readSettings } from '@svc/program/settings/read-settings.ts';
import { type ListenAddress, listSharedPortFaults } from './shared-ports.ts';

export type LauncherSettings = {
  readonly host: string;
  /** 0 takes any free port. */
  readonly controlPlanePort: number;
  readonly gatewayPort: number;
  readonly dataDir: string;
  /** Owner's connection to a configured database; undefined for the embedded one. A secret. */
  readonly databaseUrl: string | undefined;
  /** Unwraps the installation key; undefined for the key file in the data folder. A secret. */
  readonly masterKey: MasterKey | undefined;
  /** Configured key file instead of the one in the data folder. */
  readonly masterKeyFile: string | undefined;
  /** Environment of the command that wraps and unwraps. */
  readonly commandEnvironment: Env;
};

const METRICS = [
  ['SVC_CONTROL_METRICS', 'control-plane'],
  ['SVC_GATEWAY_METRICS', 'gateway'],
  ['SVC_WORKER_METRICS', 'worker'],
] as const;

/** Returns the listeners of a start with a configured address. */
const listListeners = ({ host, controlPlanePort, gatewayPort }: LauncherSettings, env: Env): readonly ListenAddress[] => [
  { setting: SETTINGS.controlPlanePort, host, port: controlPlanePort },
  { setting: SETTINGS.gatewayPort, host, port: gatewayPort },
  ...METRICS.flatMap(([setting, program]) => {
    const { value } = readSetting(setting, env, program);
    const address = readMetricsSetting(typeof value === 'string' ? value : undefined);
    return address === undefined ? [] : [{ setting, ...address }];
  }),
];

/**
 * Reads the launcher's own settings; `start/check-all.ts` checks those of the planes. A relative data folder is resolved in the project.
 */
export const readLauncherSettings = (env: Env, projectRoot: string): { settings: LauncherSettings; faults: readonly string[] } => {
  const read = readSettings(env, 'launcher');
  // An invalid port does not mean the default: neither is checked or used.
  const port = (name: 'CONTROL_PLANE_PORT' | 'GATEWAY_PORT'): number =>
    readSetting(name, env, 'launcher').faults.length > 0 ? 0 : read.integer(name);
  const named = namedMasterKey(read, env);
  const settings = {
    host: read.text(SETTINGS.host),
    controlPlanePort: port(SETTINGS.controlPlanePort),
    gatewayPort: port(SETTINGS.gatewayPort),
    dataDir: path.resolve(projectRoot, read.text(SETTINGS.dataFolder)),
    databaseUrl: read.text(SETTINGS.databaseUrl),
    masterKey: named !== undefined && 'given' in named ? named.given : undefined,
    masterKeyFile: read.text('SVC_MASTER_KEY_FILE'),
    commandEnvironment: commandEnvironment(env),
  };
  const ofKey = named !== undefined && 'fault' in named ? [named.fault] : [];
  return { settings, faults: [...read.faults, ...ofKey, ...listSharedPortFaults(listListeners(settings, env))] };
};
