import type { KeyObject } from 'node:crypto';
import { sealToken } from '@svc/keyring/sealed/credential-tokens.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import type { StoredCredential } from '@svc/postgres/credentials/credentials.ts';
import { insertTokens } from '@svc/postgres/credentials/tokens/credential-tokens.ts';

type FirstTokens = {
  readonly made: StoredCredential;
  readonly dataKey: KeyObject;
  readonly organization_id: string;
  readonly refresh_token: string | undefined;
  readonly by: string;
  readonly now: Date;
};

/** Inserts the token row of a new OAuth credential. Does nothing for a credential whose secret is sent unchanged. */
export const insertFirstTokens = async (
  tx: TenantTransaction,
  { made, dataKey, organization_id, refresh_token, by, now }: FirstTokens,
): Promise<void> => {
  if (made.oauth === null) return;
  const key = { organization_id, credential_id: made.id, version: 1 };
  const isConnected = made.oauth.grant === 'CLIENT_CREDENTIALS' || refresh_token !== undefined;
  await insertTokens(tx, {
    ...key,
    workspace_id: made.workspace_id,
    environment_id: made.environment_id,
    state: isConnected ? 'CONNECTED' : 'UNCONNECTED',
    sealed_refresh_token: refresh_token === undefined ? null : sealToken(dataKey, refresh_token, { ...key, kind: 'refresh_token' }),
    ...(refresh_token === undefined ? {} : { connected_by: by, connected_at: now }),
  });
};
