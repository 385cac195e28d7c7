import type { OauthTerms, StoredOauth } from '@svc/contract/credentials/oauth.ts';
import { type Refusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { type GivenSecrets, readClientAuthentication } from '@svc/domain/credentials/oauth-faults.ts';
import { newClientKey, readClientKey } from '@svc/keyring/client-keys/client-key.ts';
import { writeProofs } from './client-proofs.ts';

/** The secret of a credential before sealing, and its stored OAuth terms. */
export type CredentialSecret = { readonly secret: string; readonly oauth: StoredOauth | null };

const BAD_KEY = 'is no private key that can be used: PKCS #8 as PEM, P-256, P-384 or RSA of 2048 bits or more';

/** Reads how an OAuth client authenticates. Generates a key for PRIVATE_KEY_JWT if the request has none. */
export const readClientProofs = (
  oauth: OauthTerms,
  { client_secret, private_key }: GivenSecrets,
): CredentialSecret | Refusal<'VALIDATION_FAILED'> => {
  if (readClientAuthentication(oauth) !== 'PRIVATE_KEY_JWT') return { secret: writeProofs({ client_secret }), oauth };
  const key = private_key === undefined ? newClientKey() : readClientKey(private_key);
  if (key === undefined) return refuseBody('/private_key', BAD_KEY);
  const public_jwk = oauth.key_id === undefined ? key.jwk : { ...key.jwk, kid: oauth.key_id };
  return { secret: writeProofs({ private_key: key.pem }), oauth: { ...oauth, public_jwk } };
};
