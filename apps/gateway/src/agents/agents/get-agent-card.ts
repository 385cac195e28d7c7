import { OAUTH_PATHS } from '@svc/contract/agents/oauth.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { canonicalJson } from '@svc/domain/events/canonical-json.ts';
import { buildAgentA2aPath } from '@svc/domain/peers/a2a/agent-a2a-path.ts';
import { failClosed } from '@svc/enforcement/ports/fail-closed.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { signCard } from '@svc/keyring/tokens/card-signature.ts';
import { buildAgentCard } from '@svc/peers/a2a/card/build-card.ts';
import type { GatewayDeps } from '../../deps.ts';
import { quantizeResponseTime } from '../identity/sign-in/on-the-beat.ts';
import { findPublishedAgent } from './published/find-published-agent.ts';

/** Returns the card of a published agent. Every other id, known or not, gets the same response in the same time. */
export const getAgentCard: Handler<Endpoints['getAgentCard'], GatewayDeps> = async (call, deps) => {
  const startedAt = performance.now();
  const { agentId } = call.params;
  const listed = await failClosed('IDENTITY_SERVICE_UNAVAILABLE', deps.pipeline, call, () => findPublishedAgent(deps, agentId));
  if (isRefusal(listed)) return listed;
  if (listed === undefined) return quantizeResponseTime(startedAt, call.refuse('NOT_FOUND'));
  const { issuer, audience } = deps.tokenScope;
  const card = buildAgentCard(listed.card, { endpoint: audience + buildAgentA2aPath(agentId), tokenUrl: issuer + OAUTH_PATHS.token });
  const signature = signCard(deps.platformKeys.keys.signing, canonicalJson(card));
  return quantizeResponseTime(startedAt, { ...card, signatures: [signature] });
};
