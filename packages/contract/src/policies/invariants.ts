import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, enumSchema, id, jsonObject, listQuery, longText, name, nullable, timestamp } from '../rows/schema.ts';
import { EFFECTS } from '../tables/vocabulary.ts';
import { MatchedRule } from './language.ts';

/** Scopes of an invariant. */
export const INVARIANT_SCOPES = ['ORGANIZATION', 'WORKSPACE', 'ENVIRONMENT'] as const;
const InvariantScope = closedObject({ scope: enumSchema(INVARIANT_SCOPES), id: Type.String({ maxLength: 64 }) });

/** The language itself checks the condition, so a fault is INVALID_POLICY with a pointer to it. */
const statement = {
  when: Type.Optional(Type.Unknown({ description: 'Condition of the policy language. If omitted, every request meets it.' })),
  if_missing: Type.Optional(Type.Literal('match', { description: 'Requests for which the condition is unknown also meet it.' })),
  at_least: Type.Optional(enumSchema(EFFECTS, 'Least strict effect for requests that meet the condition.')),
  at_most: Type.Optional(enumSchema(EFFECTS, 'Strictest effect for requests that meet the condition.')),
  scope: Type.Optional(InvariantScope),
};

export const PolicyInvariant = closedObject({
  id: id('Invariant id (pin_).'),
  name: Type.String(),
  description: Type.String(),
  when: nullable(jsonObject('Condition of the policy language; null if every request meets it.')),
  if_missing: nullable(Type.Literal('match')),
  at_least: nullable(enumSchema(EFFECTS)),
  at_most: nullable(enumSchema(EFFECTS)),
  currency: Type.String({ description: 'Currency of its amounts.' }),
  scope: InvariantScope,
  created_at: timestamp,
  created_by: Type.String(),
});
export type PolicyInvariant = Static<typeof PolicyInvariant>;

/** A request that violates an invariant, in the form of a test. The engine itself decided it. */
const CounterExample = closedObject({
  place: Type.String({ description: 'Scope in which such a request is made.' }),
  given: jsonObject('Request that breaks the invariant, without fields that are irrelevant and optional.'),
  amounts: nullable(
    Type.Record(Type.String(), Type.Integer(), {
      description: 'Amount in each currency that rules compare it in, if there are several.',
    }),
  ),
  effect: enumSchema(EFFECTS),
  matched_rule: nullable(MatchedRule),
  reason: Type.String(),
});

/**
 * PROVED for every possible request; VIOLATED with a request; UNDECIDED counts as not proved. An invariant on a field that this version of
 * the service never knows is UNDECIDED, and `because` names the field.
 */
export const InvariantVerdict = closedObject({
  verdict: enumSchema(['PROVED', 'VIOLATED', 'UNDECIDED']),
  places: Type.Integer({ description: 'Number of checked scopes that have their own policies.' }),
  counter_example: nullable(CounterExample),
  undecided: nullable(
    closedObject({
      place: Type.String(),
      because: Type.String(),
      rules: Type.Array(closedObject({ policy_id: Type.String(), policy_name: Type.String(), rule_id: Type.String() })),
      remedy: Type.String(),
    }),
  ),
});
export type InvariantVerdict = Static<typeof InvariantVerdict>;

const onInvariants = <const Rest extends object>(rest: Rest) => ({
  plane: 'control' as const,
  area: 'policies' as const,
  credential: 'caller' as const,
  budget: 'caller' as const,
  wire: 'json' as const,
  ...rest,
});

export const invariantEndpoints = {
  listInvariants: defineEndpoint({
    ...onInvariants({
      method: 'GET',
      path: '/v1/policies/invariants',
      summary: 'List the invariants, newest first. Invariants apply to all decisions in addition to policies.',
      permissions: ['policy:read'],
    }),
    query: listQuery,
    result: Type.Array(PolicyInvariant),
    emits: [],
    refuses: [],
  }),
  createInvariant: defineEndpoint({
    ...onInvariants({
      method: 'POST',
      path: '/v1/policies/invariants',
      summary: 'Create an invariant. It must hold for the active policies, and prevents all later changes that break it.',
      permissions: ['policy:update'],
    }),
    idempotent: true,
    body: closedObject({
      name: name('Name of the invariant; unique in the organization.'),
      description: Type.Optional(longText('Reason for the invariant.')),
      ...statement,
    }),
    result: PolicyInvariant,
    status: 201,
    emits: ['compliance.control_updated'],
    refuses: ['INVALID_POLICY', 'NOT_FOUND', 'ALREADY_EXISTS', 'VALIDATION_FAILED', 'UNPROCESSABLE'],
    automation: 'ALLOWED',
  }),
  checkInvariant: defineEndpoint({
    ...onInvariants({
      method: 'POST',
      path: '/v1/policies/invariants/check',
      summary: 'Check an invariant against the active policies, optionally with one more version. Has no side effects.',
      permissions: ['policy:simulate'],
    }),
    writesNothing: 'always',
    body: closedObject({ ...statement, version_id: Type.Optional(id('Policy version to include as if it were active.')) }),
    result: InvariantVerdict,
    emits: [],
    refuses: ['INVALID_POLICY', 'NOT_FOUND', 'VALIDATION_FAILED', 'RATE_LIMITED'],
    automation: 'ALLOWED',
  }),
  deleteInvariant: defineEndpoint({
    ...onInvariants({
      method: 'DELETE',
      path: '/v1/policies/invariants/{invariantId}',
      summary: 'Delete an invariant. Policies are no longer checked against it.',
      permissions: ['policy:activate'],
    }),
    result: closedObject({ id: Type.String(), name: Type.String(), deleted_at: timestamp }),
    emits: ['compliance.control_updated'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED'],
  }),
};
