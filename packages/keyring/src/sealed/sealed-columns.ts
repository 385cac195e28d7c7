import type { KeyObject } from 'node:crypto';
import { openEnvelope, sealEnvelope } from './envelope.ts';
import { deriveKey, type KeyPurpose } from './master-key.ts';
import { getPushTargetPlace } from './push-target.ts';

type Row = Readonly<Record<string, string>>;

/** A column whose values are sealed with a key of the installation, and the place each value is bound to. */
export type SealedColumn = {
  readonly table: string;
  readonly column: string;
  readonly purpose: KeyPurpose;
  /** The columns that identify a row and form its place; bytes as hexadecimal characters. */
  readonly rowBy: readonly string[];
  readonly placeOf: (row: Row) => string;
};

const webhook = (column: string): SealedColumn => ({
  table: 'webhook_subscriptions',
  column,
  purpose: 'webhook-sealing',
  rowBy: ['organization_id', 'id'],
  placeOf: ({ organization_id, id }) => `webhook_subscriptions/${organization_id}/${id}/secret`,
});

/** All such columns. Values sealed with the data key of an organization follow that key and are not in this list. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'data_keys',
    column: 'wrapped_key',
    purpose: 'data-key-wrapping',
    rowBy: ['organization_id'],
    placeOf: ({ organization_id }) => `data_keys/${organization_id}`,
  },
  {
    table: 'platform_keys',
    column: 'private_key_sealed',
    purpose: 'platform-key-wrapping',
    rowBy: ['key_id'],
    placeOf: ({ key_id }) => `platform_keys/${key_id}/private_key`,
  },
  {
    table: 'second_factors',
    column: 'sealed_secret',
    purpose: 'second-factor-sealing',
    rowBy: ['user_id', 'id'],
    placeOf: ({ user_id, id }) => `second_factors/${user_id}/${id}/secret`,
  },
  {
    table: 'sso_connections',
    column: 'sealed_client_secret',
    purpose: 'sso-secret-sealing',
    rowBy: ['organization_id', 'id'],
    placeOf: ({ organization_id, id }) => `sso_connections/${organization_id}/${id}/client_secret`,
  },
  {
    table: 'sso_attempts',
    column: 'sealed_answer',
    purpose: 'sso-secret-sealing',
    rowBy: ['state_hash'],
    placeOf: ({ state_hash }) => `sso_attempts/${state_hash}/answer`,
  },
  webhook('sealed_secret'),
  webhook('sealed_previous_secret'),
  {
    table: 'mails',
    column: 'sealed',
    purpose: 'mail-sealing',
    rowBy: ['organization_id', 'id'],
    placeOf: ({ organization_id, id }) => `mails/${organization_id}/${id}`,
  },
  {
    table: 'a2a_push_configs',
    column: 'sealed_target',
    purpose: 'a2a-push-targets',
    rowBy: ['organization_id', 'connection_id', 'id'],
    placeOf: ({ organization_id = '', connection_id = '', id = '' }) => getPushTargetPlace({ organization_id, connection_id, id }),
  },
  { table: 'sign_ups', column: 'sealed', purpose: 'sign-up-sealing', rowBy: ['id'], placeOf: ({ id }) => `sign_ups/${id}` },
];

/** Opens the sealed bytes of a row of one of these columns. Throws a CredentialKeyError with another key. */
export const openSealed = (key: KeyObject, { purpose, placeOf }: SealedColumn, row: Row, sealed: Uint8Array): Buffer =>
  openEnvelope(deriveKey(key, purpose), sealed, placeOf(row));

/** Reseals a value with the key of another installation key. */
export const resealValue = (from: KeyObject, to: KeyObject, column: SealedColumn, row: Row, sealed: Uint8Array): Buffer => {
  const opened = openSealed(from, column, row, sealed);
  const anew = sealEnvelope(deriveKey(to, column.purpose), opened, column.placeOf(row));
  opened.fill(0);
  return anew;
};
