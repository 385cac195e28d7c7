import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../deps.ts';
import { getAgentCard } from './agents/get-agent-card.ts';
import { delegate } from './delegations/delegate.ts';
import { endAgentSession } from './identity/end-agent-session.ts';
import { getPlatformKey } from './identity/get-platform-key.ts';
import { handshake } from './identity/handshake.ts';
import { mintToken } from './identity/mint-token.ts';
import { getA2aResource } from './oauth/get-a2a-resource.ts';
import { getAgentA2aResource } from './oauth/get-agent-a2a-resource.ts';
import { getJwks } from './oauth/get-jwks.ts';
import { getMcpResource } from './oauth/get-mcp-resource.ts';
import { getMcpServerResource } from './oauth/get-mcp-server-resource.ts';
import { getOauthServerMetadata } from './oauth/get-oauth-server-metadata.ts';
import { issueOauthToken } from './oauth/issue-oauth-token.ts';
import { refuseAuthorization } from './oauth/refuse-authorization.ts';

/** Handlers of this area, one per row. A missing handler, or one of another area, does not compile. */
export const agentsHandlers: AreaHandlers<'gateway', 'agents', GatewayDeps> = {
  getPlatformKey,
  mintToken,
  handshake,
  endAgentSession,
  delegate,
  getAgentCard,
  getA2aResource,
  getAgentA2aResource,
  getJwks,
  getMcpResource,
  getMcpServerResource,
  getOauthServerMetadata,
  issueOauthToken,
  refuseAuthorization,
};
