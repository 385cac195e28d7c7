import type { KeyObject } from 'node:crypto';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { RuntimeRow } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { RUNTIME_KIND_ROWS } from '@svc/runtimes/kinds.ts';
import { createCredential } from '../../credentials/credentials/create-credential.ts';
import { revokeCredential } from '../../credentials/credentials/revoke-credential.ts';
import type { CallContext } from '../../people/auth/acting.ts';

type KeyOwner = Pick<RuntimeRow, 'id' | 'name' | 'kind' | 'environment_id' | 'base_url'>;

/** Returns the name of the credential of a runtime. It ends in the id of the runtime, so that it differs from names that people choose. */
const credentialName = ({ id, name }: KeyOwner): string => `${name.slice(0, 60)} (${id})`;

/** Stores the API key of a runtime as a credential for the host of its address only. Returns its id. */
export const createApiKey = async (
  change: Change<'credential.created'>,
  acting: CallContext,
  runtime: KeyOwner,
  apiKey: string,
  credentialKey: KeyObject,
) => {
  const { inspection } = RUNTIME_KIND_ROWS[runtime.kind];
  const header = inspection.by === 'instance' ? inspection.driver.apiKeyHeader : 'Authorization';
  const body = {
    name: credentialName(runtime),
    description: 'API key of a runtime. It is managed with the runtime.',
    environment_id: runtime.environment_id,
    scheme: 'HEADER' as const,
    placement: { header },
    destinations: [new URL(runtime.base_url ?? '').host],
    tools: [],
  };
  const made = await createCredential(change, { ...acting, body }, { secret: apiKey, oauth: null }, { credentialKey });
  return isRefusal(made) ? made : made.id;
};

/** Revokes the API key of a runtime. One that a person already revoked is unchanged. */
export const eraseApiKey = async (
  change: Change<'credential.revoked'>,
  acting: CallContext,
  credentialId: string,
  reason: string,
): Promise<void> => {
  await revokeCredential(change, { ...acting, credentialId, body: { reason } });
};
