import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Secrets } from '@svc/domain/credentials/place-secret.ts';
import type { OpenedSecret } from '@svc/egress/requests/egress-request.ts';
import { openToken, type TokenPlace } from '@svc/keyring/sealed/credential-tokens.ts';
import { readProofs } from './client-proofs.ts';
import type { StoredAccess } from './have-access-token.ts';
import type { CredentialKey } from './refresh-credential.ts';
import type { TokenDesk } from './token-desk.ts';

/** A shorter one could not be told from other text. */
const isHidable = (secret: string): boolean => secret.length >= LIMITS.credentials.secretCharsMin;

/**
 * An access token to send, and what else the service that it goes to may know and tell: the token before it while that lasts, the refresh token,
 * and the secret of the client. `held` is what the credential has sealed: the proofs of the client, and the secrets of its extra items. Throws a CredentialKeyError where one of them is not what was sealed there.
 */
export const openAccess = (
  { dataKeyOf, clock }: Pick<TokenDesk, 'dataKeyOf' | 'clock'>,
  key: CredentialKey,
  access: StoredAccess,
  held: Secrets,
): OpenedSecret => {
  const dataKey = dataKeyOf(key.organization_id, access.wrapped_key);
  const open = (sealed: Uint8Array, kind: TokenPlace['kind'], version: number): string =>
    openToken(dataKey, sealed, { organization_id: key.organization_id, credential_id: key.credential_id, kind, version });
  const { version, sealed_refresh_token, previous } = access;
  const secret = open(access.sealed, 'access_token', version);
  const others = [
    previous !== null && previous.endsAt > clock().getTime() ? open(previous.sealed, 'access_token', previous.version) : '',
    sealed_refresh_token === null ? '' : open(sealed_refresh_token, 'refresh_token', version),
    readProofs(held.secret).client_secret ?? '',
  ];
  return { secret, extras: held.extras, hidden: others.filter(isHidable) };
};

/** The same, with those hidden too that the same call was sent with before. */
export const hidingToo = (opened: OpenedSecret, sentBefore: readonly string[]): OpenedSecret => ({
  ...opened,
  hidden: [...new Set([...opened.hidden, ...sentBefore])],
});
