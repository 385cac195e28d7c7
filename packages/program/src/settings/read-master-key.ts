import { readInstallationKey } from '@svc/keyring/sealed/installation-key.ts';
import { readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import type { GivenKey, MasterKey } from '../keys/master-key.ts';
import { readCommand } from '../keys/read-command.ts';
import { readKeyFile } from '../keys/read-key-file.ts';
import type { Env } from './read-setting.ts';
import type { SettingsReader } from './read-settings.ts';

/**
 * Returns the environment of a key command: everything its own tool may need, such as AWS_PROFILE, except our settings, some of which are
 * secrets.
 */
export const commandEnvironment = (env: Env): Env =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('SVC_') && !['DATABASE_URL', 'REDIS_URL', 'SMTP_URL'].includes(name)),
  );

export type NamedKey = { readonly given: MasterKey } | { readonly fault: string } | undefined;

const NAMES = ['SVC_MASTER_KEY', 'SVC_MASTER_KEY_FILE', 'SVC_MASTER_KEY_COMMAND'] as const;

const ofText = (text: string): NamedKey => {
  const read = readMasterKey(text);
  return read.ok ? { given: { kind: 'KEY', key: read.key } } : { fault: `SVC_MASTER_KEY: ${read.reason}` };
};

const ofFile = (file: string): NamedKey => {
  const read = readKeyFile(file);
  if (read === undefined) return { fault: `The master key ${file} (SVC_MASTER_KEY_FILE) does not exist. Restore it.` };
  return 'fault' in read ? read : ofText(read.text);
};

const ofCommand = (text: string, env: Env): NamedKey => {
  const words = readCommand(text);
  return words === undefined ? undefined : { given: { kind: 'COMMAND', command: { words, env: commandEnvironment(env) } } };
};

/** Returns the master key that the settings name, in exactly one way; undefined if they name none. */
export const namedMasterKey = (read: SettingsReader, env: Env): NamedKey => {
  const named = NAMES.flatMap((name) => {
    const value = read.text(name);
    return value === undefined ? [] : [{ name, value }];
  });
  if (named.length > 1) return { fault: `${named.map(({ name }) => name).join(' and ')} each set a master key. Unset all but one.` };
  const [only] = named;
  if (only === undefined) return undefined;
  if (only.name === 'SVC_MASTER_KEY_FILE') return ofFile(only.value);
  return only.name === 'SVC_MASTER_KEY' ? ofText(only.value) : ofCommand(only.value, env);
};

const MISSING =
  'SVC_MASTER_KEY is not set; Use `npm start`, which sets it, or set the master key that the database was set up with here, in SVC_MASTER_KEY_FILE or in SVC_MASTER_KEY_COMMAND.';

/** Returns the key of a plane: from the launcher the installation key, otherwise the master key. */
export const readGivenKey = (read: SettingsReader, env: Env): { readonly given: GivenKey } | { readonly fault: string } => {
  const ready = read.text('SVC_INSTALLATION_KEY');
  if (ready !== undefined) {
    const key = readInstallationKey(ready);
    return key === undefined
      ? { fault: 'SVC_INSTALLATION_KEY is invalid. It is set by npm start; unset it.' }
      : { given: { kind: 'INSTALLATION', key } };
  }
  const fault = read.faults.find((each) => each.startsWith('SVC_MASTER_KEY'));
  if (fault !== undefined) return { fault };
  return namedMasterKey(read, env) ?? { fault: MISSING };
};
