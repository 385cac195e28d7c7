import { type Static, Type } from 'typebox';
import { closedObject, enumSchema, nullable, timestamp } from '../../rows/schema.ts';
import { TOOL_KINDS } from '../../tables/vocabulary.ts';
import { DelegationWarning } from './shapes.ts';

const list = nullable(Type.Array(Type.String()));
const ceiling = {
  max_amount: nullable(Type.Integer()),
  currency: nullable(Type.String()),
  max_calls: nullable(Type.Integer()),
  window_seconds: nullable(Type.Integer()),
};
const delegator = closedObject({ type: enumSchema(['USER', 'AGENT']), id: Type.String() });

/** One link, from the person or the grants at the start down to the agent. */
const AuthorityStep = closedObject({
  delegation_id: nullable(Type.String({ description: 'Null if the chain starts with the own grants of an agent.' })),
  delegator,
  delegate_agent_id: Type.String(),
  narrowings: Type.Array(
    closedObject({
      field: Type.String(),
      removed: { ...list, description: 'Authority that this link removes; null if nothing is limited.' },
      left: list,
    }),
  ),
  ceiling: closedObject(ceiling),
  expires_at: nullable(timestamp),
});

const DerivedAuthority = closedObject({
  delegation_id: Type.String(),
  usable: Type.Boolean(),
  code: nullable(Type.String({ description: 'Error code of a request that uses this delegation; null if it would not be refused.' })),
  reason: nullable(Type.String()),
  steps: Type.Array(AuthorityStep),
  bounds: closedObject(
    {
      capabilities: Type.Array(Type.String()),
      tools: list,
      environments: list,
      destinations: list,
      ceilings: Type.Array(closedObject({ delegation_id: Type.String(), ...ceiling })),
      expires_at: nullable(timestamp),
      redelegations_left: Type.Integer(),
    },
    'Remaining grants of the agent after all links; null means unlimited.',
  ),
  warnings: Type.Array(DelegationWarning, { description: 'Warnings about restrictions that have less effect than expected.' }),
});

export const AgentAuthority = closedObject({
  agent_id: Type.String(),
  source: enumSchema(['GRANT', 'DELEGATION'], 'Authority of a request without a delegation.'),
  acts_under: Type.Array(Type.String(), {
    description: 'Delegations from people. If a request names no delegation, any one of them that covers the request is sufficient.',
  }),
  capabilities: Type.Array(
    closedObject({
      capability: Type.String(),
      source: Type.String(),
      granted_by: Type.String(),
      granted_at: timestamp,
      effective: Type.Boolean({ description: 'True if it applies to requests without a delegation.' }),
    }),
  ),
  tools: Type.Array(
    closedObject({
      tool_id: Type.String(),
      name: Type.String(),
      kind: enumSchema(TOOL_KINDS),
      required_capability: Type.String(),
      usable: Type.Boolean({ description: 'True if a request without a delegation is permitted.' }),
      code: nullable(Type.String({ description: 'Error code of a request that is refused before policy evaluation; null if it is not.' })),
      delegations: Type.Array(Type.String(), { description: 'Delegations that a request can use.' }),
    }),
  ),
  delegations: Type.Array(DerivedAuthority, { description: 'All delegations to the agent, with the derivation of its authority.' }),
});
export type AgentAuthority = Static<typeof AgentAuthority>;
