import { type Static, Type } from 'typebox';
import { closed, nullable, oneOf, timestamp } from '../../rows/schema.ts';
import { TOOL_KINDS } from '../../tables/vocabulary.ts';
import { DelegationWarning } from './shapes.ts';

const list = nullable(Type.Array(Type.String()));
const ceiling = {
  max_amount: nullable(Type.Integer()),
  currency: nullable(Type.String()),
  max_calls: nullable(Type.Integer()),
  window_seconds: nullable(Type.Integer()),
};
const delegator = closed({ type: oneOf(['USER', 'AGENT']), id: Type.String() });

/** One link, from the person or the grants at the beginning down to the agent. */
const AuthorityStep = closed({
  delegation_id: nullable(Type.String({ description: 'Null where the chain begins with what an agent was granted.' })),
  delegator,
  delegate_agent_id: Type.String(),
  narrowings: Type.Array(
    closed({
      field: Type.String(),
      removed: { ...list, description: 'Authority that this link removes; null if nothing is limited.' },
      left: list,
    }),
  ),
  ceiling: closed(ceiling),
  expires_at: nullable(timestamp),
});

const DerivedAuthority = closed({
  delegation_id: Type.String(),
  usable: Type.Boolean(),
  code: nullable(Type.String({ description: 'The code a request that names it would be refused with, or null.' })),
  reason: nullable(Type.String()),
  steps: Type.Array(AuthorityStep),
  bounds: closed(
    {
      capabilities: Type.Array(Type.String()),
      tools: list,
      environments: list,
      destinations: list,
      ceilings: Type.Array(closed({ delegation_id: Type.String(), ...ceiling })),
      expires_at: nullable(timestamp),
      redelegations_left: Type.Integer(),
    },
    'Remaining grants of the agent after all links; null is unlimited.',
  ),
  warnings: Type.Array(DelegationWarning, { description: 'Warnings about restrictions that have less effect than expected.' }),
});

export const AgentAuthority = closed({
  agent_id: Type.String(),
  source: oneOf(['GRANT', 'DELEGATION'], 'Authority of a request without a delegation.'),
  acts_under: Type.Array(Type.String(), {
    description: 'Delegations of people, of which any one that covers a request is enough when it names none.',
  }),
  capabilities: Type.Array(
    closed({
      capability: Type.String(),
      source: Type.String(),
      granted_by: Type.String(),
      granted_at: timestamp,
      effective: Type.Boolean({ description: 'True if it applies to requests without a delegation.' }),
    }),
  ),
  tools: Type.Array(
    closed({
      tool_id: Type.String(),
      name: Type.String(),
      kind: oneOf(TOOL_KINDS),
      required_capability: Type.String(),
      usable: Type.Boolean({ description: 'Without naming a delegation.' }),
      code: nullable(Type.String({ description: 'The code a request would be refused with before policy, or null.' })),
      delegations: Type.Array(Type.String(), { description: 'Delegations that can be named for it.' }),
    }),
  ),
  delegations: Type.Array(DerivedAuthority, { description: 'Everything made out to the agent, with how its authority is derived.' }),
});
export type AgentAuthority = Static<typeof AgentAuthority>;
