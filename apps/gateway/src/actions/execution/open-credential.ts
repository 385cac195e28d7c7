import type { KeyObject } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { CredentialSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import { CredentialKeyError } from '@svc/keyring/sealed/credential-key-error.ts';
import { openCredentialSecret } from '@svc/keyring/sealed/credential-secret.ts';
import { unwrapDataKey } from '@svc/keyring/sealed/envelope.ts';

/** Which of a credential's secrets: the present one, or the one before its last rotation. */
export type Which = 'present' | 'previous';

export type OpenCredential = (organizationId: string, credential: CredentialSnapshot, which: Which) => string | undefined;

const orUndefined = <Value>(open: () => Value): Value | undefined => {
  try {
    return open();
  } catch (error) {
    if (error instanceof CredentialKeyError) return undefined;
    throw error;
  }
};

/** Opens secrets under the data keys of their organizations, of which it remembers some unwrapped. What cannot be opened is undefined. */
export const newOpenCredential = (wrappingKey: KeyObject): OpenCredential => {
  const dataKeys = new Map<string, { readonly wrapped: Uint8Array; readonly key: KeyObject }>();
  const dataKeyOf = (organizationId: string, wrapped: Uint8Array): KeyObject => {
    const known = dataKeys.get(organizationId);
    if (known !== undefined && Buffer.compare(known.wrapped, wrapped) === 0) return known.key;
    const key = unwrapDataKey(wrappingKey, wrapped, organizationId);
    dataKeys.set(organizationId, { wrapped, key });
    const [oldest] = dataKeys.keys();
    if (dataKeys.size > LIMITS.credentials.dataKeysKeptMax && oldest !== undefined) dataKeys.delete(oldest);
    return key;
  };
  return (organizationId, { id, generation, wrapped_key, sealed_secret, sealed_previous_secret }, which) => {
    const [sealed, of] = which === 'present' ? [sealed_secret, generation] : [sealed_previous_secret, generation - 1];
    if (sealed === null) return undefined;
    return orUndefined(() =>
      openCredentialSecret(dataKeyOf(organizationId, wrapped_key), sealed, { organization_id: organizationId, id, generation: of }),
    );
  };
};
