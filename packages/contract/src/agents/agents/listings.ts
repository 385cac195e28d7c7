import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../../rows/endpoint.ts';
import { closedObject, id, jsonObject, name, nullable, reason, timestamp, VISIBLE_TEXT_PATTERN } from '../../rows/schema.ts';
import { LIMITS } from '../../tables/limits.ts';
import { onAgent } from './agents.ts';

const { skillsMax, skillWordsMax, skillExamplesMax, listingTextCharsMax } = LIMITS.a2a;

const text = (description: string) =>
  Type.String({ minLength: 1, maxLength: listingTextCharsMax, pattern: VISIBLE_TEXT_PATTERN, description });
const address = (description: string) => Type.String({ minLength: 1, maxLength: 2_000, description });

const ListedSkill = closedObject({
  id: Type.String({ minLength: 1, maxLength: 60, pattern: '^[A-Za-z0-9._-]+$', description: 'Letters, digits, dots, _ and -.' }),
  name: name('Name of the skill.'),
  description: text('Description of the skill.'),
  tags: Type.Array(name('A word to find it by.'), { minItems: 1, maxItems: skillWordsMax }),
  examples: Type.Optional(Type.Array(text('A message that uses it.'), { minItems: 1, maxItems: skillExamplesMax })),
});

const Provider = closedObject({ organization: name('Organization that runs the agent.'), url: address('Its site, https://.') });

/** The part of a card that its publisher writes. */
export const ListedCard = closedObject({
  name: Type.String(),
  description: Type.String(),
  version: Type.String(),
  provider: nullable(Provider),
  skills: Type.Array(ListedSkill),
  push_notifications: Type.Optional(
    Type.Boolean({ description: 'True if the agent sends push notifications, which the gateway passes on to partners.' }),
  ),
});
export type ListedCard = Static<typeof ListedCard>;

export const AgentListing = closedObject({
  agent_id: id('Agent id (agt_).'),
  published: Type.Boolean(),
  card: nullable(ListedCard),
  card_url: Type.String({ description: 'Public address of the signed card, while it is published.' }),
  endpoint: Type.String({ description: 'Address that remote agents send messages to.' }),
  keys_url: Type.String({ description: 'Public keys that verify the signature of the card, as a JWK set.' }),
  published_by: nullable(Type.String()),
  published_at: nullable(timestamp),
});
export type AgentListing = Static<typeof AgentListing>;

export const agentListingEndpoints = {
  getAgentListing: defineEndpoint({
    ...onAgent({
      method: 'GET',
      path: '/v1/agents/{agentId}/listing',
      summary: 'Get whether the A2A card of an agent is published, what it states, and its address.',
      permissions: ['agent:read'],
    }),
    result: AgentListing,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  publishAgent: defineEndpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/publish',
      summary: 'Publish the A2A card of an agent, signed with the platform key. Publishing again replaces the card.',
      permissions: ['agent:update'],
    }),
    credential: 'person',
    body: closedObject({
      name: Type.Optional(name('Name on the card. Default: the name of the agent.')),
      description: text('Description of the agent, for people and agents of other companies.'),
      version: Type.Optional(name('Version of the agent. Default: 1.0.0.')),
      provider: Type.Optional(nullable(Provider)),
      skills: Type.Array(ListedSkill, { minItems: 1, maxItems: skillsMax, description: 'Skills of the agent.' }),
      push_notifications: Type.Optional(
        Type.Boolean({
          description:
            'True if the A2A endpoint of the agent sends push notifications: partners may then ask for those of their tasks. Default: false.',
        }),
      ),
    }),
    example: {
      description: 'Books rooms.',
      skills: [{ id: 'book', name: 'Book a room', description: 'Books a room for a day.', tags: ['rooms'] }],
    },
    result: AgentListing,
    emits: ['registry.listing_published'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'VALIDATION_FAILED'],
  }),
  unpublishAgent: defineEndpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/unpublish',
      summary: 'Withdraw the published A2A card of an agent. Remote agents can no longer send messages to it.',
      permissions: ['agent:update'],
    }),
    body: closedObject({ reason: Type.Optional(reason) }),
    bodyOptional: true,
    result: closedObject({ agent_id: Type.String(), unpublished_at: timestamp }),
    emits: ['registry.listing_unpublished'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    automation: 'ALLOWED',
  }),
  getAgentCard: defineEndpoint({
    plane: 'gateway',
    area: 'agents',
    method: 'GET',
    path: '/gateway/v1/agents/{agentId}/.well-known/agent-card.json',
    summary: 'Get the published agent card of an agent (Agent2Agent 1.0), signed with the platform key.',
    credential: 'none',
    budget: 'address',
    wire: 'json',
    cacheSeconds: LIMITS.a2a.cardCacheSeconds,
    result: jsonObject('An agent card of Agent2Agent 1.0.'),
    emits: [],
    refuses: ['NOT_FOUND', 'IDENTITY_SERVICE_UNAVAILABLE'],
  }),
};
