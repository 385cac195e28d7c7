import type { OauthTerms, StoredOauth } from '@svc/contract/credentials/oauth.ts';
import { clientAuthenticationOf, type GivenSecrets } from '@svc/domain/credentials/oauth-faults.ts';
import { newClientKey, readClientKey } from '@svc/keyring/client-keys/client-key.ts';
import { writeProofs } from '@svc/operations/credentials/tokens/client-proofs.ts';

/** What is sealed as the secret of a credential, and its terms as they are kept. */
export type Kept = { readonly secret: string; readonly oauth: StoredOauth | null };

const BAD_KEY = 'is no private key that can be used: PKCS #8 as PEM, P-256, P-384 or RSA of 2048 bits or more';

/** What a client proves itself by, as it is sealed; a key is made for PRIVATE_KEY_JWT where none is given. */
export const proofsOf = (
  oauth: OauthTerms,
  { client_secret, private_key }: GivenSecrets,
): Kept | { readonly pointer: string; readonly message: string } => {
  if (clientAuthenticationOf(oauth) !== 'PRIVATE_KEY_JWT') return { secret: writeProofs({ client_secret }), oauth };
  const key = private_key === undefined ? newClientKey() : readClientKey(private_key);
  if (key === undefined) return { pointer: '/private_key', message: BAD_KEY };
  const public_jwk = oauth.key_id === undefined ? key.jwk : { ...key.jwk, kid: oauth.key_id };
  return { secret: writeProofs({ private_key: key.pem }), oauth: { ...oauth, public_jwk } };
};
