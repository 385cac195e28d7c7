import type { KeyObject } from 'node:crypto';
import type { StoredOauth } from '@svc/contract/credentials/oauth.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { GivenSecrets } from '@svc/domain/credentials/oauth-faults.ts';
import { sealToken } from '@svc/keyring/sealed/credential-tokens.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { forgetFailures, lockTokens, replaceTokens } from '@svc/postgres/credentials/tokens/credential-tokens.ts';
import { type CredentialSecret, readClientProofs } from './read-client-proofs.ts';

type Key = { readonly organization_id: string; readonly id: string };

/** Returns the client authentication after a rotation: that of the request, otherwise the stored one. */
export const rotateClientProofs = (
  oauth: StoredOauth,
  given: GivenSecrets,
  secret: string,
): CredentialSecret | Refusal<'VALIDATION_FAILED'> =>
  given.client_secret !== undefined || given.private_key !== undefined ? readClientProofs(oauth, given) : { secret, oauth };

type Rotation = {
  readonly dataKey: KeyObject;
  readonly key: Key;
  readonly refresh_token: string | undefined;
  readonly by: string;
  readonly now: Date;
};

/** A new refresh token revokes the current access token; new client authentication permits a refresh immediately. */
export const rotateTokens = async (tx: TenantTransaction, { dataKey, key, refresh_token, by, now }: Rotation): Promise<void> => {
  const tokensKey = { organization_id: key.organization_id, credential_id: key.id };
  if (refresh_token === undefined) return forgetFailures(tx, tokensKey);
  const version = ((await lockTokens(tx, tokensKey)) ?? 0) + 1;
  const sealed_refresh_token = sealToken(dataKey, refresh_token, { ...tokensKey, kind: 'refresh_token', version });
  await replaceTokens(tx, tokensKey, { version, sealed_refresh_token, by }, now);
};
