import { type Static, Type } from 'typebox';
import { amount, closedObject, currency, dottedName, enumSchema, id, nullable, reason, timestamp } from '../../rows/schema.ts';
import { getIdPattern } from '../../tables/ids.ts';
import { LIMITS } from '../../tables/limits.ts';
import { TOOL_NAME_PATTERN } from '../../tables/spellings.ts';
import { DELEGATION_BACKINGS, DELEGATION_STATUSES, PRINCIPAL_TYPES } from '../../tables/vocabulary.ts';

const { depthMax, listedMax } = LIMITS.delegations;

const listed = (item: object, description: string) =>
  nullable(
    Type.Array(Type.Unsafe<string>({ type: 'string', minLength: 1, ...item }), { maxItems: listedMax, uniqueItems: true, description }),
  );
const scopeMembers = {
  capabilities: listed(dottedName('A capability.', 'payments.refund'), 'Capabilities that the delegate may use; null for no restriction.'),
  tools: listed(
    { maxLength: 100, pattern: `${TOOL_NAME_PATTERN}|${getIdPattern('tool')}` },
    'Names or ids of tools, without wildcards; null for no restriction.',
  ),
  environments: listed({ maxLength: 64 }, 'Ids of environments; null for no restriction.'),
  destinations: listed({ maxLength: 260 }, 'host or *.host, optionally with :port; null for no restriction.'),
};
export const DelegationScope = closedObject(scopeMembers, 'Scope of the delegate. An empty list permits nothing.');
export type DelegationScope = Static<typeof DelegationScope>;

const ceilingMembers = {
  max_amount: nullable({
    ...amount,
    description: 'Maximum amount of one action, in minor units of currency; with window_seconds also of all actions in any such window.',
  }),
  currency: nullable(currency),
  max_calls: nullable(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Maximum number of actions in any window, or in total if there is no window.',
    }),
  ),
  window_seconds: nullable(Type.Integer({ minimum: 1, maximum: 31_622_400, description: 'Length of the sliding window.' })),
};
export const DelegationCeiling = closedObject(
  ceilingMembers,
  'Limits on amounts and calls, counted on this delegation and all delegations above it. A null member sets no limit.',
);
export type DelegationCeiling = Static<typeof DelegationCeiling>;

const optional = <P extends Record<string, Parameters<typeof Type.Optional>[0]>>(members: P) =>
  Type.Partial(Type.Object(members), { additionalProperties: false });

const Delegator = closedObject({ type: enumSchema(['USER', 'AGENT']), id: Type.String({ minLength: 1, maxLength: 64 }) });
const expiresAt = nullable({
  ...timestamp,
  maxLength: 24,
  description: 'UTC time such as 2026-01-31T09:30:00.000Z; null if it does not expire.',
});
const canRedelegate = Type.Boolean({ description: 'True if the delegate may delegate further, with at most the same scope.' });
const maxDepth = Type.Integer({
  minimum: 0,
  maximum: depthMax,
  description: 'Maximum depth of further delegations below this one.',
});

export const Delegation = closedObject({
  id: id('Delegation id (del_).'),
  parent_id: nullable(Type.String()),
  delegator: Delegator,
  delegate_agent_id: Type.String(),
  scope: DelegationScope,
  ceiling: DelegationCeiling,
  expires_at: nullable(timestamp),
  can_redelegate: Type.Boolean(),
  max_depth: Type.Integer(),
  depth: Type.Integer({ description: 'Number of delegations above this one.' }),
  status: enumSchema(DELEGATION_STATUSES),
  backing: nullable(
    enumSchema(
      DELEGATION_BACKINGS,
      'For a delegation from a person: HELD while the person has the authority, LACKED when it was lost, GONE when the person left. Unless HELD, this delegation and all below it grant nothing. null for a delegation from an agent, which depends on its root.',
    ),
  ),
  version: Type.Integer({ description: 'Increases with each change.' }),
  created_by: closedObject({ type: enumSchema(PRINCIPAL_TYPES), id: Type.String() }),
  created_at: timestamp,
  updated_at: timestamp,
  ended_at: nullable(timestamp),
  ended_reason: nullable(Type.String()),
});
export type Delegation = Static<typeof Delegation>;

/** Part of a request that may look narrowed and is not. A warning, which does not stop the creation. */
export const DelegationWarning = closedObject({
  kind: enumSchema(
    ['narrows_nothing', 'grants_come_back'],
    'narrows_nothing: the agent has wider grants of its own, which apply if it names no delegation. grants_come_back: they apply after this delegation has ended.',
  ),
  fields: Type.Array(Type.String(), { description: 'Fields in which the own grants of the agent are wider.' }),
  environment_id: id('Environment of the agent, which does not require a delegation.'),
  message: Type.String(),
});
const warnings = Type.Array(DelegationWarning, { description: 'Probable mistakes.' });

/** Response of a new delegation. */
export const NewDelegation = closedObject({ ...Delegation.properties, warnings });
export type NewDelegation = Static<typeof NewDelegation>;

const bounds = {
  scope: Type.Optional(optional(scopeMembers)),
  ceiling: Type.Optional(nullable(optional(ceilingMembers))),
  expires_at: Type.Optional(expiresAt),
  can_redelegate: Type.Optional(canRedelegate),
  max_depth: Type.Optional(maxDepth),
};
const asked = {
  delegate_agent_id: id('Agent that receives the authority.'),
  parent_id: Type.Optional(nullable(id('Parent delegation. Omitted fields are inherited from it.'))),
  ...bounds,
};
/** An agent delegates in its own name. */
export const AgentDelegationRequest = closedObject(asked);
export type AgentDelegationRequest = Static<typeof AgentDelegationRequest>;

export const DelegationRequest = closedObject({
  ...asked,
  delegator: Type.Optional({
    ...Delegator,
    description: 'The caller (a user) or an agent. Defaults to the delegate of the parent, or to the caller if there is no parent.',
  }),
});
export type DelegationRequest = Static<typeof DelegationRequest>;

const basedOn = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'Version that the change is based on. The request is refused if it is not the current version.',
  }),
);

export const DelegationReduction = closedObject({ ...bounds, version: basedOn });
export type DelegationReduction = Static<typeof DelegationReduction>;

export const DelegationExtension = closedObject({
  expires_at: {
    ...expiresAt,
    description: 'New expiry: a UTC time later than the current one, such as 2026-01-31T09:30:00.000Z; null if it does not expire.',
  },
  reason,
  version: basedOn,
});
export type DelegationExtension = Static<typeof DelegationExtension>;

/** Part of a request that exceeds the authority that may be given. */
const AuthorityFault = closedObject({ field: Type.String(), parent: Type.Unknown(), asked: Type.Unknown() });

export const DelegationSimulation = closedObject({
  permitted: Type.Boolean(),
  code: nullable(Type.String({ description: 'Error code that a real request would return, or null.' })),
  reason: Type.String(),
  fields: Type.Array(AuthorityFault, { description: 'Fields whose requested value exceeds the permitted value.' }),
  warnings,
  delegation: nullable(
    closedObject({
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

/** The effect of a revocation before it is made. */
export const RevocationPreview = closedObject({
  delegation_id: Type.String(),
  total: Type.Integer({ description: 'Number of active delegations that end, including this one.' }),
  delegations: Type.Array(
    closedObject({
      id: Type.String(),
      parent_id: nullable(Type.String()),
      delegate_agent_id: Type.String(),
      agent_name: Type.String(),
      depth: Type.Integer(),
    }),
    { description: `The first ${LIMITS.delegations.previewedMax} of them, from the root down.` },
  ),
  agents: Type.Array(
    closedObject({
      agent_id: Type.String(),
      name: Type.String({ description: 'Empty for agents outside the part of the organization that the caller can access.' }),
      delegations_left: Type.Integer({ description: 'Active delegations to the agent that remain.' }),
      pending_approvals: Type.Integer(),
      grants_come_back: Type.Boolean({
        description: 'True if no delegation from a person remains and the agent has own grants, which then apply to its requests.',
      }),
    }),
    { description: 'Agents that lose a delegation.' },
  ),
});
export type RevocationPreview = Static<typeof RevocationPreview>;

export const DelegationGraph = closedObject({
  nodes: Type.Array(closedObject({ id: Type.String(), type: enumSchema(['USER', 'AGENT']), name: Type.String() })),
  edges: Type.Array(
    closedObject({
      id: id('Delegation id (del_).'),
      from: Type.String(),
      to: Type.String(),
      parent_id: nullable(Type.String()),
      status: enumSchema(DELEGATION_STATUSES),
      scope: DelegationScope,
      ceiling: DelegationCeiling,
      expires_at: nullable(timestamp),
    }),
  ),
  page: closedObject({ next_cursor: Type.String(), has_more: Type.Boolean() }),
});
export type DelegationGraph = Static<typeof DelegationGraph>;
