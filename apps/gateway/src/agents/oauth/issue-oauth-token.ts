import { CLIENT_ASSERTION_TYPE, OAUTH_PATHS, OAUTH_SCOPES } from '@svc/contract/agents/oauth.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { BodyOf } from '@svc/contract/rows/endpoint.ts';
import { isRefusal, type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readClientAssertion } from '@svc/keyring/tokens/read-client-assertion.ts';
import type { GatewayDeps } from '../../deps.ts';
import type { RedeemRefusal } from '../identity/sign-in/exchange-assertion.ts';
import { redeemAssertion } from '../identity/sign-in/redeem-assertion.ts';
import { type OAuthScope, readScope } from './metadata/oauth-metadata.ts';
import { isPeerAssertion, type PeerRefusal, redeemPeerAssertion } from './partners/redeem-peer-assertion.ts';

type Body = BodyOf<Endpoints['issueOauthToken']>;

/** Sessions of this endpoint have no library of ours behind them. */
const CLIENT_LIBRARY = { name: 'oauth', version: '2.0', runtime: 'unknown' };

const refuseAs = (oauth_error: string, message: string): Refusal<'UNPROCESSABLE'> => refusal('UNPROCESSABLE', message, { oauth_error });

const grantRefusal = ({ grant_type, client_assertion_type, client_assertion }: Body): Refusal<'UNPROCESSABLE'> | undefined => {
  if (grant_type !== 'client_credentials') return refuseAs('unsupported_grant_type', 'grant_type must be client_credentials.');
  if (client_assertion_type === CLIENT_ASSERTION_TYPE && client_assertion !== undefined) return undefined;
  return refuseAs('invalid_client', `Sign in with private_key_jwt: client_assertion, and client_assertion_type ${CLIENT_ASSERTION_TYPE}.`);
};

type Terms = { readonly resource: string | null; readonly scopes: readonly OAuthScope[] };

const isScope = (word: string): word is OAuthScope => (OAUTH_SCOPES as readonly string[]).includes(word);

/** Reads the endpoint and the scope that a token is requested for. A token never has a scope that its endpoint does not. */
const readTerms = (issuer: string, { resource, scope }: Body): Terms | Refusal<'UNPROCESSABLE'> => {
  const endpointScope = resource?.startsWith(`${issuer}/`) ? readScope(resource.slice(issuer.length)) : undefined;
  if (resource !== undefined && endpointScope === undefined)
    return refuseAs(
      'invalid_target',
      `resource must be the address of an MCP or A2A endpoint of this gateway, such as ${issuer}/gateway/v1/mcp.`,
    );
  const possible = endpointScope === undefined ? OAUTH_SCOPES : [endpointScope];
  const words = scope?.split(' ').filter((word) => word !== '') ?? [];
  const scopes = words.filter(isScope).filter((word) => possible.includes(word));
  if (scopes.length < words.length) return refuseAs('invalid_scope', `scope may contain: ${possible.join(' ')}.`);
  return { resource: resource ?? null, scopes: words.length === 0 ? possible : scopes };
};

/** Errors of OAuth have one text, so that the fault of the assertion becomes the message. */
const explainFault = <Refused extends RedeemRefusal | PeerRefusal>(refused: Refused): Refused =>
  typeof refused.details?.fault === 'string' ? { ...refused, message: refused.details.fault } : refused;

export const issueOauthToken: Handler<Endpoints['issueOauthToken'], GatewayDeps> = async (call, deps) => {
  const { issuer } = deps.tokenScope;
  const terms = grantRefusal(call.body) ?? readTerms(issuer, call.body);
  if (isRefusal(terms)) return terms;
  // RFC 7523, section 3: the address of the token endpoint is accepted too; clients of before 2025 send it.
  const audiences = [issuer, issuer + OAUTH_PATHS.token];
  const { client_assertion: assertion, client_id: clientId } = call.body;
  if (isPeerAssertion(clientId, assertion)) {
    const granted = await redeemPeerAssertion(deps, call, { assertion, clientId, resource: terms.resource }, audiences);
    if (isRefusal(granted)) return explainFault(granted);
    return { access_token: granted.token, token_type: 'Bearer' as const, expires_in: granted.expires_in, scope: 'a2a' };
  }
  const read = readClientAssertion(call.body.client_assertion);
  const named = 'fault' in read ? '' : read.claims.agent_id;
  const redeemed = await redeemAssertion(deps, call, {
    agent_id: call.body.client_id ?? named,
    read,
    sdk: CLIENT_LIBRARY,
    audiences,
    resource: terms.resource,
  });
  if (isRefusal(redeemed)) return explainFault(redeemed);
  const { token, expires_in } = redeemed.grant;
  return { access_token: token, token_type: 'Bearer' as const, expires_in, scope: terms.scopes.join(' ') };
};
