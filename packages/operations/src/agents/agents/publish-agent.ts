import type { ListedCard } from '@svc/contract/agents/agents/listings.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { refuseFinalStatus } from '@svc/domain/agents/agents/final-status.ts';
import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import { deleteAgentListing, findAgentListing, putAgentListing } from '@svc/postgres/agents/agents/agent-listings.ts';
import { lockAgent } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { CallContext } from '../../people/auth/acting.ts';

type Publishing = CallContext & { readonly agentId: string; readonly body: EndpointBody<Endpoints['publishAgent']> };
type Unpublishing = CallContext & { readonly agentId: string; readonly reason: string | undefined };

const { listingBytesMax } = LIMITS.a2a;

/** Returns why a site is no address for a card; undefined if it is one. */
const siteFault = (text: string): string | undefined => {
  if (!URL.canParse(text)) return 'must be a URL, such as https://company.example';
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'https:') return 'must begin with https://';
  return username === '' && password === '' ? undefined : 'must not contain a user name or password';
};

/** Publishes the card of an agent with the content of the body; addresses and the signature are added when it is served. */
export const publishAgent = async (
  { tx, emit }: Change<'registry.listing_published'>,
  { scope, actor, now, agentId, body }: Publishing,
) => {
  const { organization_id } = scope;
  const agent = await lockAgent(tx, organization_id, agentId);
  if (!agent) return buildRefusal('NOT_FOUND');
  const over = refuseFinalStatus('publish', agent.status);
  if (over) return over;
  const { name = agent.name, description, version = '1.0.0', provider = null, skills, push_notifications = false } = body;
  const fault = provider === null ? undefined : siteFault(provider.url);
  if (fault !== undefined) return refuseBody('/provider/url', fault);
  const card: ListedCard = { name, description, version, provider, skills, ...(push_notifications ? { push_notifications } : {}) };
  const text = JSON.stringify(card);
  // Clients refuse larger cards; the addresses and the signature are added to this size.
  if (Buffer.byteLength(text) > listingBytesMax)
    return refuseBody('/skills', `must be shorter: a card has at most ${listingBytesMax} bytes`);
  const { workspace_id, environment_id } = agent;
  await putAgentListing(tx, {
    ...{ organization_id, agent_id: agent.id, workspace_id, environment_id },
    ...{ card: text, published_by: actor.id, published_at: now },
  });
  const listing = await findAgentListing(tx, organization_id, agent.id);
  if (!listing) return buildRefusal('NOT_FOUND');
  const data = { name, version, skills: skills.map(({ id }) => id), card_hash: sha256Hex(text) };
  emit('registry.listing_published', { ...about.agent(agent), data });
  return listing;
};

/** Withdraws the card of an agent. From then on no remote agent can reach it. */
export const unpublishAgent = async (
  { tx, emit }: Change<'registry.listing_unpublished'>,
  { scope, now, agentId, reason }: Unpublishing,
) => {
  const { organization_id } = scope;
  const agent = await lockAgent(tx, organization_id, agentId);
  if (!agent) return buildRefusal('NOT_FOUND');
  if (!(await deleteAgentListing(tx, organization_id, agent.id)))
    return buildRefusal('INVALID_STATE_TRANSITION', 'The card of the agent is not published.', { operation: 'unpublish' });
  emit('registry.listing_unpublished', { ...about.agent(agent), data: { ...(reason === undefined ? {} : { reason }) } });
  return { agent_id: agent.id, unpublished_at: now.toISOString() };
};
