import { OAUTH_PATHS, OAUTH_SCOPES, type ProtectedResource, TOKEN_EXCHANGE } from '@svc/contract/agents/oauth.ts';
import { isId } from '@svc/contract/tables/ids.ts';
import { DPOP_ALGORITHMS } from '@svc/keyring/tokens/dpop-proof.ts';

export type OAuthScope = (typeof OAUTH_SCOPES)[number];

const MCP_PATH = '/gateway/v1/mcp';
const A2A_PATH = '/gateway/v1/a2a';
const AGENT_A2A = /^\/gateway\/v1\/agents\/([^/]{1,64})\/a2a$/;

/** Returns the scope of an endpoint by its path; undefined if no token is issued for it alone. */
export const readScope = (path: string): OAuthScope | undefined => {
  if (path === MCP_PATH) return 'mcp';
  const [, agentId = ''] = AGENT_A2A.exec(path) ?? [];
  if (isId('agent', agentId)) return 'a2a';
  const [, below, id = ''] = /^(\/gateway\/v1\/(?:mcp|a2a))\/([^/]{1,64})$/.exec(path) ?? [];
  if (below === MCP_PATH) return isId('mcp_server', id) ? 'mcp' : undefined;
  return below === A2A_PATH && isId('a2a_connection', id) ? 'a2a' : undefined;
};

/** Returns the metadata of the authorization server at an address (RFC 8414, section 2). */
export const describeServer = (issuer: string) => ({
  issuer,
  token_endpoint: issuer + OAUTH_PATHS.token,
  authorization_endpoint: issuer + OAUTH_PATHS.authorize,
  jwks_uri: issuer + OAUTH_PATHS.jwks,
  grant_types_supported: ['client_credentials', TOKEN_EXCHANGE],
  response_types_supported: ['code'],
  token_endpoint_auth_methods_supported: ['private_key_jwt'],
  token_endpoint_auth_signing_alg_values_supported: ['EdDSA', 'Ed25519'],
  code_challenge_methods_supported: ['S256'],
  dpop_signing_alg_values_supported: [...DPOP_ALGORITHMS],
  scopes_supported: [...OAUTH_SCOPES],
});

/** Returns the metadata of a protected resource (RFC 9728, section 2). */
export const describeResource = (issuer: string, path: string, scope: OAuthScope): ProtectedResource => ({
  resource: issuer + path,
  authorization_servers: [issuer],
  scopes_supported: [scope],
  bearer_methods_supported: ['header'],
  dpop_signing_alg_values_supported: [...DPOP_ALGORITHMS],
  resource_name: scope === 'mcp' ? 'Governed MCP endpoint' : 'Governed A2A endpoint',
});

export const buildMcpPath = (serverId?: string): string => (serverId === undefined ? MCP_PATH : `${MCP_PATH}/${serverId}`);
export const buildA2aPath = (connectionId: string): string => `${A2A_PATH}/${connectionId}`;
