import type { KeyObject } from 'node:crypto';
import { CredentialKeyError } from '@svc/keyring/sealed/credential-key-error.ts';
import { deriveInstallation } from '@svc/keyring/sealed/installation.ts';
import { masterKeyId, newInstallationKey } from '@svc/keyring/sealed/installation-key.ts';
import type { KeptKey, KeptKeys, WrappedKey } from '@svc/postgres/migrate/installation-keys.ts';
import { KeyFault } from '@svc/program/keys/key-fault.ts';
import type { MasterKey } from '@svc/program/keys/master-key.ts';
import { unwrapKey, wrapKey } from './wrap-key.ts';

type Live = KeptKey & WrappedKey;

/** Returns the entries that still open the installation key, in order of creation. */
export const listLiveKeys = ({ keys }: KeptKeys): readonly Live[] => keys.flatMap((each) => (each.wrapped ? [each as Live] : []));

/** Formats a time to the second. */
export const formatTime = (time: string | undefined): string => (time ?? '').replace(/\.\d+Z$/, 'Z');

const WHERE = 'in SVC_MASTER_KEY, as master.key in DATA_DIR, or as the file in SVC_MASTER_KEY_FILE';

const getInstallation = ({ installation }: KeptKeys): string => (installation === undefined ? '' : ` (installation ${installation.id})`);

/** Returns the message for a master key that opens nothing here. */
export const notThisOne = (kept: KeptKeys, master: MasterKey): KeyFault => {
  const id = master.kind === 'KEY' ? masterKeyId(master.key) : undefined;
  const retired = kept.keys.find((each) => each.id === id && each.retired_at !== undefined);
  if (retired)
    return new KeyFault(
      `The master key ${id} was replaced on ${formatTime(retired.retired_at)} and is no longer valid. Start with the one that replaced it.`,
    );
  const byCommand = listLiveKeys(kept).every(({ kind }) => kind === 'COMMAND');
  return new KeyFault(
    `The master key does not match this database${getInstallation(kept)}, and nothing was changed. Start with the master key that the database was set up with, ${
      byCommand ? 'through the command in SVC_MASTER_KEY_COMMAND' : WHERE
    }. Without it the secrets in this database cannot be opened.`,
  );
};

export type Opened = { readonly key: KeyObject; readonly by: Live };

/**
 * Finds the entries that this master key opens, the newest first: the one with its id, or, for commands, each that the command unwraps to
 * the right key; a key management service may open several. At most `countMax`.
 */
export const findAllOpened = async (kept: KeptKeys, master: MasterKey, countMax = Number.POSITIVE_INFINITY): Promise<readonly Opened[]> => {
  const id = master.kind === 'KEY' ? masterKeyId(master.key) : undefined;
  const candidates = listLiveKeys(kept).filter((each) => each.kind === master.kind && (id === undefined || each.id === id));
  const found: Opened[] = [];
  let refused: unknown;
  for (const by of candidates.toReversed()) {
    try {
      const key = await unwrapKey(master, by);
      if (deriveInstallation(key).keyCheck === kept.installation?.key_check) found.push({ key, by });
    } catch (error) {
      if (!(error instanceof KeyFault || error instanceof CredentialKeyError)) throw error;
      refused = error;
    }
    if (found.length >= countMax) break;
  }
  // A command that is unavailable is not a wrong key.
  if (found.length === 0 && refused instanceof KeyFault) throw refused;
  return found;
};

/** Returns the newest entry that this master key opens. */
export const findOpened = async (kept: KeptKeys, master: MasterKey): Promise<Opened | undefined> =>
  (await findAllOpened(kept, master, 1))[0];

export type OpenedKey = {
  readonly key: KeyObject;
  /** Set if it was created and must be stored. */
  readonly made?: WrappedKey;
};

/**
 * Opens the installation key, from which all other keys derive: unwraps it, or creates one for an empty database. A database without one
 * derives its keys from the master key itself. Throws a KeyFault, a sentence with its remedy.
 */
export const openInstallationKey = async (kept: KeptKeys, master: MasterKey): Promise<OpenedKey> => {
  if (kept.state === 'empty') {
    const key = newInstallationKey();
    return { key, made: await wrapKey(master, key) };
  }
  if (kept.state === 'direct') {
    if (master.kind === 'KEY') return { key: master.key };
    throw new KeyFault(
      'This database was set up with a master key and not by a command: start with that key once, then change it with "npm run ops -- admin rewrap --to-command".',
    );
  }
  const opened = await findOpened(kept, master);
  if (opened === undefined) throw notThisOne(kept, master);
  return { key: opened.key };
};
