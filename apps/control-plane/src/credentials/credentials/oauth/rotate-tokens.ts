import type { KeyObject } from 'node:crypto';
import type { StoredOauth } from '@svc/contract/credentials/oauth.ts';
import type { GivenSecrets } from '@svc/domain/credentials/oauth-faults.ts';
import { sealToken } from '@svc/keyring/sealed/credential-tokens.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { forgetFailures, lockTokens, replaceTokens } from '@svc/postgres/credentials/tokens/credential-tokens.ts';
import { type Kept, proofsOf } from './proofs.ts';

type Key = { readonly organization_id: string; readonly id: string };

/** What the client proves itself by from now on; where nothing of it is given, what it proved itself by before. */
export const rotatedProofs = (
  oauth: StoredOauth,
  given: GivenSecrets,
  secret: string,
): Kept | { readonly pointer: string; readonly message: string } =>
  given.client_secret !== undefined || given.private_key !== undefined ? proofsOf(oauth, given) : { secret, oauth };

type Rotating = {
  readonly dataKey: KeyObject;
  readonly key: Key;
  readonly refresh_token: string | undefined;
  readonly by: string;
  readonly now: Date;
};

/** Another refresh token ends the access token of the one before; another proof of the client lets a refresh be tried at once. */
export const rotateTokens = async (tx: TenantTransaction, { dataKey, key, refresh_token, by, now }: Rotating): Promise<void> => {
  const of = { organization_id: key.organization_id, credential_id: key.id };
  if (refresh_token === undefined) return forgetFailures(tx, of);
  const version = ((await lockTokens(tx, of)) ?? 0) + 1;
  const sealed_refresh_token = sealToken(dataKey, refresh_token, { ...of, kind: 'refresh_token', version });
  await replaceTokens(tx, of, { version, sealed_refresh_token, by }, now);
};
