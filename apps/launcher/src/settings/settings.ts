import { isIP } from 'node:net';
import path from 'node:path';
import { SETTINGS } from '@svc/contract/tables/limits.ts';
import { readMasterKey } from '@svc/keyring/sealed/master-key.ts';

type Env = Readonly<Record<string, string | undefined>>;

export type LauncherSettings = {
  readonly host: string;
  /** 0 takes any free port. */
  readonly controlPlanePort: number;
  readonly gatewayPort: number;
  readonly dataDir: string;
  /** Owner's connection to a database of one's own; undefined for the embedded one. A secret. */
  readonly databaseUrl: string | undefined;
  /** Base64 text; undefined for the key file in the data folder. A secret. */
  readonly masterKey: string | undefined;
};

const defaults = { host: '127.0.0.1', controlPlanePort: 4000, gatewayPort: 4100, dataDir: '.data' } as const;

/** Reads what the launcher itself needs; `start/check-plane-settings.ts` asks the planes about theirs. A relative data folder lies in the project. */
export const readLauncherSettings = (env: Env, projectRoot: string): { settings: LauncherSettings; faults: readonly string[] } => {
  const faults: string[] = [];
  const given = (name: string): string | undefined => env[name]?.trim() || undefined;
  const port = (name: string, otherwise: number): number => {
    const text = given(name) ?? String(otherwise);
    if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
    faults.push(`${name} is "${text}", but must be a whole number from 0 to 65535; leave it out for ${otherwise}.`);
    // No wish for the default: nobody asked for that port, so it is neither looked at nor taken.
    return 0;
  };
  const address = (name: string, schemes: readonly string[], example: string): string | undefined => {
    const text = given(name);
    // Shown without its value, which may hold a password.
    if (text !== undefined && !isAddress(text, schemes))
      faults.push(`${name} must be an address such as ${example}; leave it out to do without.`);
    return text;
  };
  const folder = given(SETTINGS.dataFolder) ?? defaults.dataDir;
  if (/^~[\w.-]*(\/|$)/.test(folder)) {
    faults.push(
      `${SETTINGS.dataFolder} is "${folder}", and no shell has put a home folder in place of ~: write $HOME instead, for example ${SETTINGS.dataFolder}="$HOME/governance-data" npm start.`,
    );
  }
  const settings = {
    host: given(SETTINGS.host) ?? defaults.host,
    controlPlanePort: port(SETTINGS.controlPlanePort, defaults.controlPlanePort),
    gatewayPort: port(SETTINGS.gatewayPort, defaults.gatewayPort),
    dataDir: path.resolve(projectRoot, folder),
    databaseUrl: address(SETTINGS.databaseUrl, ['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/database'),
    masterKey: given(SETTINGS.masterKey),
  };
  address(SETTINGS.redisUrl, ['redis:', 'rediss:'], 'redis://host:6379');
  const masterKey = settings.masterKey === undefined ? undefined : readMasterKey(settings.masterKey);
  if (masterKey?.ok === false) faults.push(`${SETTINGS.masterKey}: ${masterKey.reason}`);
  if (settings.controlPlanePort === settings.gatewayPort && settings.gatewayPort !== 0) {
    faults.push(
      `${SETTINGS.controlPlanePort} and ${SETTINGS.gatewayPort} are both ${settings.gatewayPort}: give each plane a port of its own.`,
    );
  }
  return { settings, faults };
};

/** Where people and agents reach a plane that listens on this host and port. */
export const reachableUrl = (host: string, port: number): string => {
  const name = host === '0.0.0.0' || host === '::' ? defaults.host : host;
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
};

const isAddress = (text: string, schemes: readonly string[]): boolean => {
  // A PostgreSQL address over a unix socket has no host, which the URL parser does not take.
  const whole = text.replace('@/', '@localhost/');
  return URL.canParse(whole) && schemes.includes(new URL(whole).protocol);
};
