import type { KeyObject } from 'node:crypto';
import type { CredentialSecrets } from '@svc/domain/credentials/place-secret.ts';
import { CredentialKeyError } from '@svc/keyring/sealed/credential-key-error.ts';
import { openCredentialSecret } from '@svc/keyring/sealed/credential-secret.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import type { LockedCredential } from '@svc/postgres/credentials/credentials.ts';
import { readDataKey } from '../../service/keys/open-data-key.ts';

/** The secrets of a credential, and the data key that seals them. */
type OpenedCredential = CredentialSecrets & { readonly dataKey: KeyObject };

/**
 * Opens the secrets of an active credential. Returns undefined if the row differs from what the secrets were sealed for, or if another
 * master key sealed them: such a row must not be sealed again or shown as if a member of the organization had written it.
 */
export const openAsStored = async (
  tx: TenantTransaction,
  credentialKey: KeyObject,
  organization_id: string,
  credential: LockedCredential,
): Promise<OpenedCredential | undefined> => {
  if (credential.sealed_secret === null) throw new Error('an active credential holds no secret');
  try {
    const dataKey = await readDataKey(tx, credentialKey, organization_id);
    return { ...openCredentialSecret(dataKey, credential.sealed_secret, { ...credential, organization_id }), dataKey };
  } catch (error) {
    if (error instanceof CredentialKeyError) return undefined;
    throw error;
  }
};
