import type { KeyObject } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { CredentialKeyError } from '@svc/keyring/sealed/credential-key-error.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { type KeyLog, type OpenedPlatformKeys, openStoredKeys, readStoredKeys, type StoredPlatformKeys } from './load-platform-keys.ts';

/** The keys as read last. Do not keep a member: it may become outdated. */
export type LivePlatformKeys = OpenedPlatformKeys & {
  /** Reads the keys again; returns true if one was created or retired since. Throws database errors. */
  readonly renew: () => Promise<boolean>;
  readonly close: () => void;
};

const sameText = (stored: StoredPlatformKeys): string => JSON.stringify(stored);

const changesBetween = (before: OpenedPlatformKeys, after: OpenedPlatformKeys) => ({
  made: [...after.keys.ofLog.keys()].filter((kid) => !before.keys.ofLog.has(kid)),
  retired: [...before.keys.accepted.keys()].filter((kid) => !after.keys.accepted.has(kid)),
});

/**
 * Opens the platform keys and reads them again periodically and on request, since another process may sign with a key that was created
 * after this one started. Throws like `loadPlatformKeys` at first; later, a failed read keeps the opened ones.
 */
export const keepPlatformKeys = async (database: Database, masterKey: KeyObject, log: KeyLog): Promise<LivePlatformKeys> => {
  const first = await readStoredKeys(database);
  let known = sameText(first);
  let opened = openStoredKeys(masterKey, first, log);

  const reopen = (stored: StoredPlatformKeys): OpenedPlatformKeys => {
    try {
      return openStoredKeys(masterKey, stored, log);
    } catch (err) {
      if (!(err instanceof CredentialKeyError)) throw err;
      log.error({ err }, 'no stored platform key can be decrypted: the previous keys stay in use');
      return opened;
    }
  };

  const renew = async (): Promise<boolean> => {
    const stored = await readStoredKeys(database);
    const text = sameText(stored);
    if (text === known || stored.inUse.length === 0) return false;
    const before = opened;
    [opened, known] = [reopen(stored), text];
    const changes = changesBetween(before, opened);
    if (changes.made.length + changes.retired.length === 0) return false;
    log.warn(changes, 'platform keys were created or retired: the current keys are used');
    return true;
  };
  const fails = (err: unknown): void => log.warn({ err }, 'the platform keys could not be reloaded: the previous keys stay in use');
  const timer = setInterval(() => void renew().then(undefined, fails), LIMITS.audit.keysReadEveryMs).unref();
  return {
    get keys() {
      return opened.keys;
    },
    get published() {
      return opened.published;
    },
    get retired() {
      return opened.retired;
    },
    renew,
    close: () => clearInterval(timer),
  };
};
