import type { KeyObject } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { unwrapDataKey } from '@svc/keyring/sealed/envelope.ts';

/** Returns the data key of an organization from its sealed form. Throws a CredentialKeyError under another master key. */
export type DataKeys = (organizationId: string, wrapped: Uint8Array) => KeyObject;

/** Caches unwrapped data keys, each for as long as its sealed form stays the same. */
export const newRememberedDataKeys = (wrappingKey: KeyObject): DataKeys => {
  const dataKeys = new Map<string, { readonly wrapped: Uint8Array; readonly key: KeyObject }>();
  return (organizationId, wrapped) => {
    const known = dataKeys.get(organizationId);
    if (known !== undefined && Buffer.compare(known.wrapped, wrapped) === 0) return known.key;
    const key = unwrapDataKey(wrappingKey, wrapped, organizationId);
    dataKeys.set(organizationId, { wrapped, key });
    const [oldest] = dataKeys.keys();
    if (dataKeys.size > LIMITS.credentials.dataKeysKeptMax && oldest !== undefined) dataKeys.delete(oldest);
    return key;
  };
};
