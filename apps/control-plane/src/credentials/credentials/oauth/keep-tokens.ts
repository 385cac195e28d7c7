import type { KeyObject } from 'node:crypto';
import { sealToken } from '@svc/keyring/sealed/credential-tokens.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import type { StoredCredential } from '@svc/postgres/credentials/credentials.ts';
import { insertTokens } from '@svc/postgres/credentials/tokens/credential-tokens.ts';

type Keeping = {
  readonly made: StoredCredential;
  readonly dataKey: KeyObject;
  readonly organization_id: string;
  readonly refresh_token: string | undefined;
  readonly by: string;
  readonly now: Date;
};

/** The row of a new credential's tokens; none for one whose secret is sent as it is. */
export const keepTokens = async (
  tx: TenantTransaction,
  { made, dataKey, organization_id, refresh_token, by, now }: Keeping,
): Promise<void> => {
  if (made.oauth === null) return;
  const place = { organization_id, credential_id: made.id, version: 1 };
  const isConnected = made.oauth.grant === 'CLIENT_CREDENTIALS' || refresh_token !== undefined;
  await insertTokens(tx, {
    ...place,
    workspace_id: made.workspace_id,
    environment_id: made.environment_id,
    state: isConnected ? 'CONNECTED' : 'UNCONNECTED',
    sealed_refresh_token: refresh_token === undefined ? null : sealToken(dataKey, refresh_token, { ...place, kind: 'refresh_token' }),
    ...(refresh_token === undefined ? {} : { connected_by: by, connected_at: now }),
  });
};
