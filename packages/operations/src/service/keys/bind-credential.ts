import type { KeyObject } from 'node:crypto';
import { CredentialKeyError } from '@svc/keyring/sealed/credential-key-error.ts';
import { bindCredentialSecret } from '@svc/keyring/sealed/credential-secret.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import type { BindCredential } from '@svc/postgres/migrate/bind-credentials.ts';
import { newRememberedDataKeys } from './remembered-data-keys.ts';

/** Reseals a credential for the content of its row, under the same data key. */
export const newBindCredential = (installationKey: KeyObject): BindCredential => {
  const dataKeyOf = newRememberedDataKeys(deriveKey(installationKey, 'data-key-wrapping'));
  return (row) => {
    const { organization_id, generation, sealed_secret, sealed_previous_secret: previous } = row;
    const place = { ...row, extras: [], servers: [] };
    try {
      const dataKey = dataKeyOf(organization_id, row.wrapped_key);
      return {
        sealed_secret: bindCredentialSecret(dataKey, sealed_secret, place),
        sealed_previous_secret: previous && bindCredentialSecret(dataKey, previous, { ...place, generation: generation - 1 }),
      };
    } catch (error) {
      if (error instanceof CredentialKeyError) return undefined;
      throw error;
    }
  };
};
