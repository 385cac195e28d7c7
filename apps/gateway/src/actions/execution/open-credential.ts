import type { CredentialSecrets } from '@svc/domain/credentials/place-secret.ts';
import type { CredentialSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import { CredentialKeyError } from '@svc/keyring/sealed/credential-key-error.ts';
import { openCredentialSecret } from '@svc/keyring/sealed/credential-secret.ts';
import type { DataKeys } from '@svc/operations/service/keys/remembered-data-keys.ts';

/** The current secret of a credential, or the one before its last rotation. */
export type Which = 'present' | 'previous';

export type OpenCredential = (organizationId: string, credential: CredentialSnapshot, which: Which) => CredentialSecrets | undefined;

/** Returns the opened value; undefined if it cannot be opened with this master key. */
export const openOrUndefined = <Value>(open: () => Value): Value | undefined => {
  try {
    return open();
  } catch (error) {
    if (error instanceof CredentialKeyError) return undefined;
    throw error;
  }
};

/** Opens secrets with the data keys of their organizations; undefined for what cannot be opened. */
export const newOpenCredential =
  (dataKeys: DataKeys): OpenCredential =>
  (organizationId, { id, terms, generation, wrapped_key, sealed_secret, sealed_previous_secret }, which) => {
    const [sealed, of] = which === 'present' ? [sealed_secret, generation] : [sealed_previous_secret, generation - 1];
    if (sealed === null) return undefined;
    return openOrUndefined(() =>
      openCredentialSecret(dataKeys(organizationId, wrapped_key), sealed, {
        ...terms,
        organization_id: organizationId,
        id,
        generation: of,
      }),
    );
  };
