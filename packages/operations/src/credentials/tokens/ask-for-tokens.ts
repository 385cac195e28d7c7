import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredOauth } from '@svc/contract/credentials/oauth.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newHider } from '@svc/domain/credentials/hide-secret.ts';
import { readClientAuthentication } from '@svc/domain/credentials/oauth-faults.ts';
import type { GivenTokens, TokenAnswer } from '@svc/domain/credentials/read-token-answer.ts';
import { isDoubtful } from '@svc/domain/credentials/token-failures.ts';
import { askTokenEndpoint, type TokenClient, type TokenRequest } from '@svc/egress/tokens/ask-token-endpoint.ts';
import { importSigningKey } from '@svc/keyring/client-keys/client-key.ts';
import type { TokenRow } from '@svc/postgres/credentials/tokens/leases.ts';
import { type ClientProofs, readProofs } from './client-proofs.ts';
import type { TokenDesk } from './token-desk.ts';

const { oauth } = LIMITS;
const RETRY_AFTER_MS = 250;

type Named = Pick<TokenRow, 'organization_id' | 'oauth'>;

/**
 * Returns the scope to request. A person may have granted less than requested, and a server refuses more than that: without a scope it is
 * the granted one.
 */
const getScope = ({ authorization_url, scope }: StoredOauth): string | undefined => (authorization_url === undefined ? scope : undefined);

const getClient = (desk: TokenDesk, { organization_id, oauth: terms }: Named, proofs: ClientProofs): TokenClient => {
  const { token_url, issuer, client_id, audience, resource, public_jwk } = terms;
  const scope = getScope(terms);
  const parameters = Object.entries({ scope, audience, resource }).filter((each): each is [string, string] => each[1] !== undefined);
  return {
    ...{ tenant: organization_id, token_url, issuer, client_id, authentication: readClientAuthentication(terms) },
    client_secret: proofs.client_secret,
    signing_key: proofs.private_key === undefined ? undefined : { key: importSigningKey(proofs.private_key), kid: public_jwk?.kid },
    parameters: Object.fromEntries(parameters),
    skewSeconds: Math.round((desk.clock().getTime() - Date.now()) / 1000),
  };
};

/** Removes a scope that contains what was sent to or issued by the server, since people see the scope. */
const withoutEchoes = (tokens: GivenTokens, sent: readonly (string | undefined)[]): GivenTokens => {
  const { scope, access_token, refresh_token } = tokens;
  if (scope === null) return tokens;
  const secrets = [...sent, access_token, refresh_token].filter((each) => each !== undefined);
  return newHider(secrets).inText(scope) === scope ? tokens : { ...tokens, scope: null };
};

/**
 * Requests tokens from the endpoint of a credential. If it is unknown whether the server has acted, the request is repeated at once: a
 * rotating server accepts the previous token only for a short time.
 */
export const askForTokens = async (
  desk: TokenDesk,
  named: Named,
  sealedProofs: string,
  asked: TokenRequest,
  attemptsMax: number = oauth.attemptsMax,
): Promise<TokenAnswer> => {
  const proofs = readProofs(sealedProofs);
  const sent = asked.grant === 'REFRESH_TOKEN' ? asked.refresh_token : undefined;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await askTokenEndpoint(desk.egress, getClient(desk, named, proofs), asked, oauth.requestMs);
    if ('tokens' in answer) return { tokens: withoutEchoes(answer.tokens, [sent, proofs.client_secret]) };
    if (attempt >= attemptsMax || !isDoubtful(answer.failure)) return answer;
    await sleep(RETRY_AFTER_MS);
  }
};
