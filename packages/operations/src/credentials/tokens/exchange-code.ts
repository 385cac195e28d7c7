import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { GivenTokens } from '@svc/domain/credentials/read-token-answer.ts';
import { TOKEN_FAILURES } from '@svc/domain/credentials/token-failures.ts';
import { readReturn } from '@svc/egress/tokens/read-return.ts';
import { CredentialKeyError } from '@svc/keyring/sealed/credential-key-error.ts';
import { openCredentialSecret } from '@svc/keyring/sealed/credential-secret.ts';
import { inTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { ConnectionAttempt } from '@svc/postgres/credentials/tokens/attempts.ts';
import { readTokens } from '@svc/postgres/credentials/tokens/leases.ts';
import { askForTokens } from './ask-for-tokens.ts';
import { findConnectingFault } from './connecting-fault.ts';
import type { TokenDesk } from './token-desk.ts';

export type CodeToExchange = { readonly parameters: URLSearchParams; readonly state: string; readonly verifier: string };

/** Tokens issued for a code, and the generation of the credential that they are for. */
export type Exchanged = { readonly tokens: GivenTokens; readonly refresh_token: string; readonly generation: number };

type Refused = Refusal<'GONE' | 'PERMISSION_DENIED' | 'UNPROCESSABLE' | 'DEPENDENCY_UNAVAILABLE' | 'CREDENTIAL_SERVICE_UNAVAILABLE'>;

const REFUSED = 'The application was not connected because access was denied there. Start again and allow access.';
const UNBELIEVABLE = 'The response is not from the authorization server of this credential. Start again, and compare its issuer.';
const NO_REFRESH =
  'The application was not connected: the server returned no refresh token. Allow refresh tokens for the application there, and store a credential whose scope requests one, such as offline_access.';

const read = (desk: TokenDesk, attempt: ConnectionAttempt, now: Date) =>
  inTenant(desk.database, { organization_id: attempt.organization_id }, async (tx) => {
    const fault = await findConnectingFault(tx, attempt, now);
    return fault ?? (await readTokens(tx, attempt)) ?? buildRefusal('GONE', 'The credential was revoked in the meantime.');
  });

/** Exchanges the code of a return for tokens, if the person who began may still connect the credential. A code is sent once. */
export const exchangeCode = async (
  desk: TokenDesk,
  attempt: ConnectionAttempt,
  { parameters, state, verifier }: CodeToExchange,
  now: Date,
): Promise<Exchanged | Refused> => {
  const row = await read(desk, attempt, now);
  if ('refused' in row) return row;
  const checked = readReturn(parameters, { state, client_id: row.oauth.client_id, issuer: row.oauth.issuer });
  if ('fault' in checked) return buildRefusal('PERMISSION_DENIED', checked.fault === 'refused' ? REFUSED : UNBELIEVABLE);
  const place = { ...row, id: row.credential_id };
  let proofs: string;
  try {
    proofs = openCredentialSecret(desk.dataKeyOf(row.organization_id, row.wrapped_key), row.sealed_secret, place).secret;
  } catch (error) {
    if (error instanceof CredentialKeyError) return buildRefusal('CREDENTIAL_SERVICE_UNAVAILABLE');
    throw error;
  }
  const returned = { parameters: checked.parameters, redirectUri: attempt.redirect_uri, verifier };
  const answer = await askForTokens(desk, row, proofs, { grant: 'AUTHORIZATION_CODE', returned }, 1);
  if ('failure' in answer)
    return buildRefusal('DEPENDENCY_UNAVAILABLE', `The application was not connected. ${TOKEN_FAILURES[answer.failure]}`);
  const { refresh_token } = answer.tokens;
  if (refresh_token === undefined) return buildRefusal('UNPROCESSABLE', NO_REFRESH);
  return { tokens: answer.tokens, refresh_token, generation: row.generation };
};
