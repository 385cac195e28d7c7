import { type Static, Type } from 'typebox';
import { endpoint } from '../../rows/endpoint.ts';
import { closed, oneOf, timestamp } from '../../rows/schema.ts';
import { LIMITS } from '../../tables/limits.ts';
import { onAgent } from '../agents/agents.ts';

const { toldMax, agentsMax } = LIMITS.clientLibraries;

/** `UNKNOWN`: one of the two versions is no number that can be compared. */
export const VERSION_DRIFTS = ['CURRENT', 'OLDER', 'NEWER', 'UNKNOWN'] as const;
export type VersionDrift = (typeof VERSION_DRIFTS)[number];

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const ClientLibraries = closed({
  libraries: Type.Array(
    closed({
      name: Type.String({ description: 'Reported by the agents, unverified.' }),
      version: Type.String({ description: 'Likewise.' }),
      agents: count('Agents that last signed in with it.'),
      last_seen_at: timestamp,
      reference: Type.String({
        description:
          'The version it is held against: of the library of this service the one of this release, of another the newest in use.',
      }),
      drift: oneOf(VERSION_DRIFTS),
    }),
    { description: `The ${toldMax} that most agents use, by name and version.` },
  ),
  others: closed({ libraries: count('Further ones.'), agents: count('Agents that use them.') }),
  agents: count('Agents that are not over.'),
  unseen: count('Agents that never signed in.'),
  outdated: count('Agents with a listed library that is older than its reference.'),
  counted_all: Type.Boolean({ description: `False where there are more than ${agentsMax} agents; the newest were counted.` }),
});
export type ClientLibraries = Static<typeof ClientLibraries>;

export const clientLibraryEndpoints = {
  listClientLibraries: endpoint({
    ...onAgent({
      method: 'GET',
      path: '/v1/agents/client-libraries',
      summary: 'Get the client libraries of the agents, with versions and the number of outdated agents.',
      permissions: ['agent:read'],
    }),
    result: ClientLibraries,
    emits: [],
    refuses: [],
  }),
};
