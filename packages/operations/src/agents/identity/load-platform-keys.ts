import type { KeyObject } from 'node:crypto';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { createPlatformKey, openPlatformKeys, type PlatformKeys, type PublishedPlatformKey } from '@svc/keyring/sealed/platform-key.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { ensurePlatformKeys, readRetiredPlatformKeys } from '@svc/postgres/service/platform-keys.ts';

export type OpenedPlatformKeys = {
  readonly keys: PlatformKeys;
  readonly published: readonly PublishedPlatformKey[];
  /** Keys of before, which nothing is signed by any more but checkpoints that are kept. */
  readonly retired: readonly (PublishedPlatformKey & { readonly retired_at: string })[];
};

/** The platform's signing keys, unsealed with the master key. Throws CredentialKeyError when the master key is not this installation's. */
export const loadPlatformKeys = async (database: Database, masterKey: KeyObject): Promise<OpenedPlatformKeys> => {
  const wrappingKey = deriveKey(masterKey, 'platform-key-wrapping');
  const [current, ...previous] = await ensurePlatformKeys(database, () => createPlatformKey(wrappingKey));
  if (!current) throw new Error('no platform key could be read or made');
  const retired = await readRetiredPlatformKeys(database);
  return {
    keys: openPlatformKeys(wrappingKey, current, previous, retired),
    published: [current, ...previous].map(({ kid, public_key }) => ({ kid, public_key })),
    retired: retired.map(({ kid, public_key, retired_at }) => ({ kid, public_key, retired_at })),
  };
};
