import { OAUTH_PATHS, OAUTH_SCOPES } from '@svc/contract/agents/oauth.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { GatewayDeps } from '../../../deps.ts';
import { type OAuthScope, readScope } from '../metadata/oauth-metadata.ts';
import { isPeerAssertion, type PeerRefusal, redeemPeerAssertion } from '../partners/redeem-peer-assertion.ts';
import { redeemClient, type TokenCall } from './redeem-client.ts';
import { buildOauthRefusal } from './refuse-as.ts';

type Terms = { readonly resource: string | null; readonly scopes: readonly OAuthScope[] };

const isScope = (word: string): word is OAuthScope => (OAUTH_SCOPES as readonly string[]).includes(word);

/** Reads the requested endpoint and scope. A token never has a scope that its endpoint does not have. */
const readTerms = (issuer: string, { resource, scope }: TokenCall['body']): Terms | Refusal<'UNPROCESSABLE'> => {
  const endpointScope = resource?.startsWith(`${issuer}/`) ? readScope(resource.slice(issuer.length)) : undefined;
  if (resource !== undefined && endpointScope === undefined)
    return buildOauthRefusal(
      'invalid_target',
      `resource must be the address of an MCP or A2A endpoint of this gateway, such as ${issuer}/gateway/v1/mcp.`,
    );
  const possible = endpointScope === undefined ? OAUTH_SCOPES : [endpointScope];
  const words = scope?.split(' ').filter((word) => word !== '') ?? [];
  const scopes = words.filter(isScope).filter((word) => possible.includes(word));
  if (scopes.length < words.length) return buildOauthRefusal('invalid_scope', `scope may contain: ${possible.join(' ')}.`);
  return { resource: resource ?? null, scopes: words.length === 0 ? possible : scopes };
};

/** RFC 7523, section 3: the address of the token endpoint is accepted too; older clients send it. */
const audiences = ({ tokenScope: { issuer } }: GatewayDeps): readonly string[] => [issuer, issuer + OAUTH_PATHS.token];

/** OAuth errors have one text, so the fault of the assertion becomes the message. */
const explainPeerFault = (refused: PeerRefusal): PeerRefusal =>
  typeof refused.details?.fault === 'string' ? { ...refused, message: refused.details.fault } : refused;

/** Grants a token for this gateway (client_credentials). */
export const grantCredentials = async (call: TokenCall, deps: GatewayDeps) => {
  const terms = readTerms(deps.tokenScope.issuer, call.body);
  if (isRefusal(terms)) return terms;
  const { client_assertion: assertion, client_id: clientId } = call.body;
  if (isPeerAssertion(clientId, assertion)) {
    const granted = await redeemPeerAssertion(deps, call, { assertion, clientId, resource: terms.resource }, audiences(deps));
    if (isRefusal(granted)) return explainPeerFault(granted);
    return { access_token: granted.token, token_type: 'Bearer' as const, expires_in: granted.expires_in, scope: 'a2a' };
  }
  const redeemed = await redeemClient(call, deps, terms.resource);
  if (isRefusal(redeemed)) return redeemed;
  const { token, token_type, expires_in } = redeemed.grant;
  return { access_token: token, token_type, expires_in, scope: terms.scopes.join(' ') };
};
