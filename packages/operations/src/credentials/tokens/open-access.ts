import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { CredentialSecrets } from '@svc/domain/credentials/place-secret.ts';
import type { OpenedSecret } from '@svc/egress/requests/egress-request.ts';
import { openToken, type TokenPlace } from '@svc/keyring/sealed/credential-tokens.ts';
import { readProofs } from './client-proofs.ts';
import type { StoredAccess } from './have-access-token.ts';
import type { CredentialKey } from './refresh-credential.ts';
import type { TokenDesk } from './token-desk.ts';

/** A shorter secret could not be distinguished from other text. */
const isHidable = (secret: string): boolean => secret.length >= LIMITS.credentials.secretCharsMin;

/**
 * Opens an access token to send, with everything that the called service may know and echo: the previous token while it is valid, the
 * refresh token, and the client secret. `held` is what the credential has sealed: client authentication and the secrets of its extra items.
 * Throws a CredentialKeyError if one of them is not what was sealed there.
 */
export const openAccess = (
  { dataKeyOf, clock }: Pick<TokenDesk, 'dataKeyOf' | 'clock'>,
  key: CredentialKey,
  access: StoredAccess,
  held: CredentialSecrets,
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

/** Also hides the tokens that the same call was sent with before. */
export const hideAlso = (opened: OpenedSecret, sentBefore: readonly string[]): OpenedSecret => ({
  ...opened,
  hidden: [...new Set([...opened.hidden, ...sentBefore])],
});
