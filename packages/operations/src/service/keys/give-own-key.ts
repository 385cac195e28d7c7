import type { KeyObject } from 'node:crypto';
import { deriveInstallation } from '@svc/keyring/sealed/installation.ts';
import { deriveCarriedInstallationKey } from '@svc/keyring/sealed/installation-key.ts';
import { resealValue, SEALED_COLUMNS } from '@svc/keyring/sealed/sealed-columns.ts';
import { type ColumnToCarry, carryKeys } from '@svc/postgres/migrate/carry-keys.ts';
import { forgetFormer } from '@svc/postgres/migrate/installation-keys.ts';
import { HOLDS_FORMER } from './holds-former.ts';
import { wrapKey } from './wrap-key.ts';

/**
 * Gives an installation whose keys derive directly from its master key a key of its own, so that the master key can be replaced. Returns
 * the effective key: unchanged while planes are running; the next start without any completes it.
 */
export const giveOwnKey = async (ownerUrl: string, masterKey: KeyObject, by: string): Promise<KeyObject> => {
  const key = deriveCarriedInstallationKey(masterKey);
  const made = { ...(await wrapKey({ kind: 'KEY', key: masterKey }, key)), by, reason: 'The first start of a version that wraps it.' };
  const columns = SEALED_COLUMNS.map(
    (column): ColumnToCarry => ({ ...column, anew: (row, sealed) => resealValue(masterKey, key, column, row, sealed) }),
  );
  const carrying = { from: deriveInstallation(masterKey), to: deriveInstallation(key), made, columns };
  if (!(await carryKeys(ownerUrl, carrying))) return masterKey;
  await forgetFormer(ownerUrl, HOLDS_FORMER);
  return key;
};
