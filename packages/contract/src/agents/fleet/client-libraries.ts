import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../../rows/endpoint.ts';
import { closedObject, enumSchema, timestamp } from '../../rows/schema.ts';
import { LIMITS } from '../../tables/limits.ts';
import { onAgent } from '../agents/agents.ts';

const { recipientsMax, agentsMax } = LIMITS.clientLibraries;

/** `UNKNOWN`: one of the two versions is not comparable. */
export const VERSION_DRIFTS = ['CURRENT', 'OLDER', 'NEWER', 'UNKNOWN'] as const;
export type VersionDrift = (typeof VERSION_DRIFTS)[number];

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const ClientLibraries = closedObject({
  libraries: Type.Array(
    closedObject({
      name: Type.String({ description: 'Reported by the agents, unverified.' }),
      version: Type.String({ description: 'Reported by the agents, unverified.' }),
      agents: count('Agents that used it at their last sign-in.'),
      last_seen_at: timestamp,
      reference: Type.String({
        description:
          'Version that it is compared with: for the library of this service, the version of this release; for other libraries, the newest version in use.',
      }),
      drift: enumSchema(VERSION_DRIFTS),
    }),
    { description: `The ${recipientsMax} most used combinations of library and version.` },
  ),
  others: closedObject({ libraries: count('Number of other combinations.'), agents: count('Number of agents that use them.') }),
  agents: count('Number of agents that are not revoked, decommissioned or expired.'),
  unseen: count('Number of agents that never signed in.'),
  outdated: count('Number of agents with a listed library that is older than its reference.'),
  counted_all: Type.Boolean({ description: `False if there are more than ${agentsMax} agents; only the newest were counted.` }),
});
export type ClientLibraries = Static<typeof ClientLibraries>;

export const clientLibraryEndpoints = {
  listClientLibraries: defineEndpoint({
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
