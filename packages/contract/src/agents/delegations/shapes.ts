import { type Static, Type } from 'typebox';
import { amount, closed, currency, dottedName, id, nullable, oneOf, timestamp } from '../../rows/schema.ts';
import { idPattern } from '../../tables/ids.ts';
import { LIMITS } from '../../tables/limits.ts';
import { TOOL_NAME_PATTERN } from '../../tables/spellings.ts';
import { DELEGATION_BACKINGS, DELEGATION_STATUSES, PRINCIPAL_TYPES } from '../../tables/vocabulary.ts';

const { depthMax, listedMax } = LIMITS.delegations;

const listed = (item: object, description: string) =>
  nullable(
    Type.Array(Type.Unsafe<string>({ type: 'string', minLength: 1, ...item }), { maxItems: listedMax, uniqueItems: true, description }),
  );
const scopeMembers = {
  capabilities: listed(dottedName('A capability.', 'payments.refund'), 'Capabilities the delegate may use; null does not narrow them.'),
  tools: listed(
    { maxLength: 100, pattern: `${TOOL_NAME_PATTERN}|${idPattern('tool')}` },
    'Names or ids of tools, without wildcards; null does not narrow them.',
  ),
  environments: listed({ maxLength: 64 }, 'Ids of environments; null does not narrow them.'),
  destinations: listed({ maxLength: 260 }, 'host or *.host, optionally with :port; null does not narrow them.'),
};
export const DelegationScope = closed(scopeMembers, 'Scope of the delegate. An empty list permits nothing.');
export type DelegationScope = Static<typeof DelegationScope>;

const ceilingMembers = {
  max_amount: nullable({
    ...amount,
    description: 'Minor units of currency that one action may come to; with window_seconds also all in any such window.',
  }),
  currency: nullable(currency),
  max_calls: nullable(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Actions in any window, or ever when there is no window.' }),
  ),
  window_seconds: nullable(Type.Integer({ minimum: 1, maximum: 31_622_400, description: 'Length of the sliding window.' })),
};
export const DelegationCeiling = closed(
  ceilingMembers,
  'How much. Counted on this delegation and on every one above it; null bounds nothing.',
);
export type DelegationCeiling = Static<typeof DelegationCeiling>;

const optional = <P extends Record<string, Parameters<typeof Type.Optional>[0]>>(members: P) =>
  Type.Partial(Type.Object(members), { additionalProperties: false });

const Delegator = closed({ type: oneOf(['USER', 'AGENT']), id: Type.String({ minLength: 1, maxLength: 64 }) });
const expiresAt = nullable({ ...timestamp, maxLength: 24, description: 'UTC time such as 2026-01-31T09:30:00.000Z; null: never.' });
const canRedelegate = Type.Boolean({ description: 'True if the delegate may delegate further, with at most the same scope.' });
const maxDepth = Type.Integer({
  minimum: 0,
  maximum: depthMax,
  description: 'How many further delegations may hang below, one below the other.',
});

export const Delegation = closed({
  id: id('Delegation id (del_).'),
  parent_id: nullable(Type.String()),
  delegator: Delegator,
  delegate_agent_id: Type.String(),
  scope: DelegationScope,
  ceiling: DelegationCeiling,
  expires_at: nullable(timestamp),
  can_redelegate: Type.Boolean(),
  max_depth: Type.Integer(),
  depth: Type.Integer({ description: 'Delegations above it.' }),
  status: oneOf(DELEGATION_STATUSES),
  backing: nullable(
    oneOf(
      DELEGATION_BACKINGS,
      'For a delegation from a person: HELD while the person has the authority, LACKED when it was lost, GONE when the person left. Unless HELD, this delegation and all below it grant nothing. null for a delegation from an agent, which depends on its root.',
    ),
  ),
  version: Type.Integer({ description: 'Moves with each change.' }),
  created_by: closed({ type: oneOf(PRINCIPAL_TYPES), id: Type.String() }),
  created_at: timestamp,
  updated_at: timestamp,
  ended_at: nullable(timestamp),
  ended_reason: nullable(Type.String()),
});
export type Delegation = Static<typeof Delegation>;

/** What whoever delegates may take for narrowed, and is not. Nothing of it stops the making. */
export const DelegationWarning = closed({
  kind: oneOf(
    ['narrows_nothing', 'grants_come_back'],
    'narrows_nothing: the agent acts on wider grants of its own when it names no delegation; grants_come_back: it does so when this has ended.',
  ),
  fields: Type.Array(Type.String(), { description: 'In which the grants of the agent are wider.' }),
  environment_id: id('Environment of the agent, which does not demand delegated authority.'),
  message: Type.String(),
});
const warnings = Type.Array(DelegationWarning, { description: 'Probable mistakes.' });

/** Answer of whoever makes one. */
export const NewDelegation = closed({ ...Delegation.properties, warnings });
export type NewDelegation = Static<typeof NewDelegation>;

const bounds = {
  scope: Type.Optional(optional(scopeMembers)),
  ceiling: Type.Optional(nullable(optional(ceilingMembers))),
  expires_at: Type.Optional(expiresAt),
  can_redelegate: Type.Optional(canRedelegate),
  max_depth: Type.Optional(maxDepth),
};
const asked = {
  delegate_agent_id: id('Agent that is given the authority.'),
  parent_id: Type.Optional(nullable(id('Parent delegation. Omitted fields are inherited from it.'))),
  ...bounds,
};
/** An agent delegates in its own name. */
export const AgentDelegationRequest = closed(asked);
export type AgentDelegationRequest = Static<typeof AgentDelegationRequest>;

export const DelegationRequest = closed({
  ...asked,
  delegator: Type.Optional({
    ...Delegator,
    description: 'The person who asks, or an agent. Left out: the delegate of the parent, or the person who asks.',
  }),
});
export type DelegationRequest = Static<typeof DelegationRequest>;

export const DelegationReduction = closed({
  ...bounds,
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The version this change builds on; refused when it is no longer the current one.',
    }),
  ),
});
export type DelegationReduction = Static<typeof DelegationReduction>;

/** Where something asked lies outside what may be given. */
const AuthorityFault = closed({ field: Type.String(), parent: Type.Unknown(), asked: Type.Unknown() });

export const DelegationSimulation = closed({
  permitted: Type.Boolean(),
  code: nullable(Type.String({ description: 'Error code that a real request would get, or null.' })),
  reason: Type.String(),
  fields: Type.Array(AuthorityFault, { description: 'Each field that is asked for beyond what may be given.' }),
  warnings,
  delegation: nullable(
    closed({
      parent_id: nullable(Type.String()),
      delegator: Delegator,
      delegate_agent_id: Type.String(),
      scope: DelegationScope,
      ceiling: DelegationCeiling,
      expires_at: nullable(timestamp),
      can_redelegate: Type.Boolean(),
      max_depth: Type.Integer(),
      depth: Type.Integer(),
    }),
  ),
});
export type DelegationSimulation = Static<typeof DelegationSimulation>;

export const DelegationGraph = closed({
  nodes: Type.Array(closed({ id: Type.String(), type: oneOf(['USER', 'AGENT']), name: Type.String() })),
  edges: Type.Array(
    closed({
      id: id('Delegation id (del_).'),
      from: Type.String(),
      to: Type.String(),
      parent_id: nullable(Type.String()),
      status: oneOf(DELEGATION_STATUSES),
      scope: DelegationScope,
      ceiling: DelegationCeiling,
      expires_at: nullable(timestamp),
    }),
  ),
  page: closed({ next_cursor: Type.String(), has_more: Type.Boolean() }),
});
export type DelegationGraph = Static<typeof DelegationGraph>;
