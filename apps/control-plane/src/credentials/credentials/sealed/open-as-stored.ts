import type { KeyObject } from 'node:crypto';
import type { Secrets } from '@svc/domain/credentials/place-secret.ts';
import { CredentialKeyError } from '@svc/keyring/sealed/credential-key-error.ts';
import { openCredentialSecret } from '@svc/keyring/sealed/credential-secret.ts';
import { dataKeyOf } from '@svc/operations/service/keys/data-key-of.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import type { LockedCredential } from '@svc/postgres/credentials/credentials.ts';

/** What a credential holds, and what it is sealed anew under. */
export type Opened = Secrets & { readonly dataKey: KeyObject };

/**
 * Opens the secrets of an active credential. Undefined where its row is no more what it was sealed for, or under another master key: what such a row
 * says is neither sealed anew nor shown to a person as if somebody of theirs had said it.
 */
export const openAsStored = async (
  tx: TenantTransaction,
  credentialKey: KeyObject,
  organization_id: string,
  credential: LockedCredential,
): Promise<Opened | undefined> => {
  if (credential.sealed_secret === null) throw new Error('an active credential holds no secret');
  try {
    const dataKey = await dataKeyOf(tx, credentialKey, organization_id);
    return { ...openCredentialSecret(dataKey, credential.sealed_secret, { ...credential, organization_id }), dataKey };
  } catch (error) {
    if (error instanceof CredentialKeyError) return undefined;
    throw error;
  }
};
