import type { KeyObject } from 'node:crypto';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import {
  openPlatformKeys,
  opensPlatformKey,
  type PlatformKeys,
  type PublishedPlatformKey,
  type StoredPlatformKey,
} from '@svc/keyring/sealed/platform-key.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { readPlatformKeys, readRetiredPlatformKeys } from '@svc/postgres/service/platform-keys.ts';

export type OpenedPlatformKeys = {
  readonly keys: PlatformKeys;
  readonly published: readonly PublishedPlatformKey[];
  /** Retired keys, which sign nothing but stored checkpoints. */
  readonly retired: readonly (PublishedPlatformKey & { readonly retired_at: string })[];
};

/** Logger for problems that an operator must look at. */
export type KeyLog = Readonly<Record<'error' | 'warn', (facts: object, sentence: string) => void>>;

/** A key id has 43 characters; a foreign row may contain anything. */
const TOLD_CHARS_MAX = 64;

/**
 * Returns the rows that were sealed by this installation. Another row is logged and skipped, so that write access to the table cannot stop
 * a program.
 */
const ownAmong = <Row extends StoredPlatformKey>(wrappingKey: KeyObject, rows: readonly Row[], log: Pick<KeyLog, 'error'>): Row[] =>
  rows.filter((row) => {
    const isOwn = opensPlatformKey(wrappingKey, row);
    if (!isOwn)
      log.error(
        { key_id: truncateText(row.kid, TOLD_CHARS_MAX) },
        'a row of platform_keys was not sealed by this installation and is ignored: find out who wrote it',
      );
    return isOwn;
  });

export type StoredPlatformKeys = Awaited<ReturnType<typeof readStoredKeys>>;

/** Reads keys as stored. Keys in use are read first: one that is retired concurrently is read twice rather than not at all. */
export const readStoredKeys = async (database: Database) => ({
  inUse: await readPlatformKeys(database),
  retired: await readRetiredPlatformKeys(database),
});

/** Throws CredentialKeyError if none of the keys in use opens. */
export const openStoredKeys = (masterKey: KeyObject, stored: StoredPlatformKeys, log: Pick<KeyLog, 'error'>): OpenedPlatformKeys => {
  const wrappingKey = deriveKey(masterKey, 'platform-key-wrapping');
  const own = ownAmong(wrappingKey, stored.inUse, log);
  // If none is, opening the first one reports why.
  const [current, ...previous] = own.length > 0 ? own : stored.inUse;
  if (!current) throw new Error('no platform key is active; a start as the database owner creates one');
  const retired = ownAmong(wrappingKey, stored.retired, log);
  return {
    keys: openPlatformKeys(wrappingKey, current, previous, retired),
    published: [current, ...previous].map(({ kid, public_key }) => ({ kid, public_key })),
    retired: retired.map(({ kid, public_key, retired_at }) => ({ kid, public_key, retired_at })),
  };
};

/**
 * Loads the current platform keys, unsealed with the master key. Throws CredentialKeyError if none of the keys in use opens: the master key
 * belongs to another installation.
 */
export const loadPlatformKeys = async (database: Database, masterKey: KeyObject, log: Pick<KeyLog, 'error'>): Promise<OpenedPlatformKeys> =>
  openStoredKeys(masterKey, await readStoredKeys(database), log);
