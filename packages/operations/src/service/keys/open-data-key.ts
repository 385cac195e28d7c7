import type { KeyObject } from 'node:crypto';
import { newWrappedDataKey, unwrapDataKey } from '@svc/keyring/sealed/envelope.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { keepDataKey } from '@svc/postgres/service/data-keys.ts';

/**
 * Returns the data key that seals the secrets of an organization; created with the first secret. Throws a CredentialKeyError under another
 * master key.
 */
export const readDataKey = async (tx: TenantTransaction, wrappingKey: KeyObject, organizationId: string): Promise<KeyObject> =>
  unwrapDataKey(wrappingKey, await keepDataKey(tx, organizationId, () => newWrappedDataKey(wrappingKey, organizationId)), organizationId);
