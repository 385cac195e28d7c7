import type { ClientAuthentication } from '@svc/contract/credentials/oauth.ts';
import { readTokenAnswer, type TokenAnswer } from '@svc/domain/credentials/read-token-answer.ts';
import type { TokenFailure } from '@svc/domain/credentials/token-failures.ts';
import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  ClientSecretPost,
  clientCredentialsGrantRequest,
  clockSkew,
  customFetch,
  modifyAssertion,
  None,
  PrivateKeyJwt,
  refreshTokenGrantRequest,
} from 'oauth4webapi';
import type { Egress } from '../create-egress.ts';
import type { EgressResult } from '../requests/egress-request.ts';

/** A client of a token endpoint, with its credentials there. */
export type TokenClient = {
  /** The tenant of the request: egress capacity is shared between tenants. */
  readonly tenant: string;
  readonly token_url: string;
  readonly issuer: string | undefined;
  readonly client_id: string;
  readonly authentication: ClientAuthentication;
  readonly client_secret: string | undefined;
  readonly signing_key: { readonly key: CryptoKey; readonly kid: string | undefined } | undefined;
  /** `scope`, `audience` and `resource`, if any. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Seconds by which the clock of this process is behind the database's. */
  readonly skewSeconds: number;
};

/** A validated authorization response, with its redirect URI and verifier. */
export type AuthorizationResponse = { readonly parameters: URLSearchParams; readonly redirectUri: string; readonly verifier: string };

export type TokenRequest =
  | { readonly grant: 'REFRESH_TOKEN'; readonly refresh_token: string }
  | { readonly grant: 'CLIENT_CREDENTIALS' }
  | { readonly grant: 'AUTHORIZATION_CODE'; readonly returned: AuthorizationResponse };

const getFailure = (result: Exclude<EgressResult, { kind: 'answered' }>): TokenFailure => {
  switch (result.kind) {
    case 'timeout':
      return 'timeout';
    case 'unreachable':
      return result.forbidden ? 'forbidden' : 'unreachable';
    case 'failed':
      return result.sent ? 'broken_off' : 'busy';
    case 'answered_large':
      return 'broken_off';
    case 'disabled':
      return 'disabled';
    default:
      return 'plain';
  }
};

const formEncoded = (text: string): string => new URLSearchParams({ text }).toString().slice('text='.length);

/**
 * Encodes HTTP Basic by RFC 6749, section 2.3.1. Letters, digits, `-`, `_` and `.` stay unchanged, which nearly every id and secret
 * consists of: servers that decode and servers that do not read the same.
 */
const basic =
  (secret: string): ClientAuth =>
  (_server, { client_id }, _body, headers) => {
    headers.set('authorization', `Basic ${btoa(`${formEncoded(client_id)}:${formEncoded(secret)}`)}`);
  };

const provedBy = ({ authentication, client_secret = '', signing_key, issuer, token_url }: TokenClient): ClientAuth => {
  if (authentication === 'CLIENT_SECRET_BASIC') return basic(client_secret);
  if (authentication === 'CLIENT_SECRET_POST') return ClientSecretPost(client_secret);
  if (authentication === 'NONE' || signing_key === undefined) return None();
  const { key, kid } = signing_key;
  return PrivateKeyJwt(kid === undefined ? { key } : { key, kid }, {
    [modifyAssertion]: (_header, payload) => {
      payload.aud = issuer ?? token_url;
    },
  });
};

const request = (client: TokenClient, asked: TokenRequest, fetch: typeof globalThis.fetch): Promise<Response> => {
  const server: AuthorizationServer = { issuer: client.issuer ?? client.token_url, token_endpoint: client.token_url };
  const as: Client = { client_id: client.client_id, [clockSkew]: client.skewSeconds };
  // Egress decides by address if the request may go without TLS.
  const options = { [customFetch]: fetch, [allowInsecureRequests]: true } as const;
  const proof = provedBy(client);
  if (asked.grant === 'CLIENT_CREDENTIALS') return clientCredentialsGrantRequest(server, as, proof, { ...client.parameters }, options);
  if (asked.grant === 'REFRESH_TOKEN')
    return refreshTokenGrantRequest(server, as, proof, asked.refresh_token, { ...options, additionalParameters: { ...client.parameters } });
  const { parameters, redirectUri, verifier } = asked.returned;
  const more = { ...options, additionalParameters: { ...client.parameters } };
  return authorizationCodeGrantRequest(server, as, proof, parameters, redirectUri, verifier, more);
};

/**
 * Requests tokens from a token endpoint through the guarded egress: bounded size and time, no redirects, no internal addresses, never
 * without
 * TLS unless the operator allows it. Returns every outcome as a value.
 */
export const askTokenEndpoint = async (
  egress: Egress,
  client: TokenClient,
  asked: TokenRequest,
  timeoutMs: number,
): Promise<TokenAnswer> => {
  let answer: TokenAnswer | undefined;
  const fetch = async (url: string, { method, headers, body }: { method: string; headers: Record<string, string>; body: unknown }) => {
    const result = await egress.call({
      ...{ method, url, body: String(body), tenant: client.tenant, timeoutMs, isConfidential: true },
      headers: Object.fromEntries(
        Object.entries(headers).filter(([name]) => !['content-length', 'user-agent'].includes(name.toLowerCase())),
      ),
    });
    answer = result.kind === 'answered' ? readTokenAnswer(result.status, result.body) : { failure: getFailure(result) };
    return new Response(null, { status: 204 });
  };
  await request(client, asked, fetch as unknown as typeof globalThis.fetch);
  return answer ?? { failure: 'other' };
};
