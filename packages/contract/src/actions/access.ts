import { type Static, type TProperties, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, jsonObject } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';

const { access } = LIMITS;

/** Builds an object that ignores members which the specification does not define, as it requires. */
const open = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: true });

const type = Type.String({ minLength: 1, maxLength: access.nameCharsMax });
const name = Type.String({ minLength: 1, maxLength: access.nameCharsMax });
const id = Type.String({ minLength: 1, maxLength: access.idCharsMax });
const properties = Type.Optional(jsonObject('Attributes, at most 64 KiB with the rest of the request.'));
const context = Type.Optional(
  jsonObject(
    'Attributes of the request. `dry_run: true` records nothing. `delegation_id`, `approval_id` and `destination` are used as in a request of an agent. ' +
      '`accepts: ["mask"]` states that the caller applies the masks of the answer.',
  ),
);

export const AccessSubject = open({ type, id, properties });
export const AccessAction = open({ name, properties });
export const AccessResource = open({ type, id, properties });

/** An evaluation: may this subject perform this action on this resource? */
export const AccessEvaluation = open({ subject: AccessSubject, action: AccessAction, resource: AccessResource, context });
export type AccessEvaluation = Static<typeof AccessEvaluation>;

export const AccessDecision = closedObject({
  decision: Type.Boolean({ description: 'True if the caller may let the action happen.' }),
  context: Type.Optional(jsonObject('Code, reason, matched rule, mode, action id, and the approval that the request waits for.')),
});
export type AccessDecision = Static<typeof AccessDecision>;

/** When a batch ends: after all evaluations, after the first denial, or after the first permit. */
export const BATCH_SEMANTICS = ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'] as const;
export type BatchSemantic = (typeof BATCH_SEMANTICS)[number];

/** Top-level members are defaults of each entry of `evaluations`; checked after the merge. */
const AccessBatch = open({
  subject: Type.Optional(Type.Unknown({ description: 'Default of each evaluation.' })),
  action: Type.Optional(Type.Unknown({ description: 'Default of each evaluation.' })),
  resource: Type.Optional(Type.Unknown({ description: 'Default of each evaluation.' })),
  context: Type.Optional(Type.Unknown({ description: 'Default of each evaluation.' })),
  evaluations: Type.Optional(
    Type.Array(jsonObject('An evaluation; missing members are taken from the top level.'), { maxItems: access.batchMax }),
  ),
  options: Type.Optional(
    open({ evaluations_semantic: Type.Optional(Type.Enum([...BATCH_SEMANTICS], { description: 'Default: execute_all.' })) }),
  ),
});

const page = Type.Optional(
  open({
    token: Type.Optional(Type.String({ maxLength: 2_000, description: '`next_token` of the previous page.' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: access.searchMax, description: `Results per page, at most ${access.searchMax}.` }),
    ),
  }),
);

const found = Type.Object({ next_token: Type.String({ description: 'Empty on the last page.' }), count: Type.Integer() });
const searchResult = <P extends TProperties>(result: P) => closedObject({ results: Type.Array(closedObject(result)), page: found });

const base = { plane: 'control', area: 'actions', credential: 'caller', budget: 'caller', wire: 'authzen' } as const;
const decisionEvents = [
  'action.requested',
  'action.allowed',
  'action.blocked',
  'action.limited',
  'action.masked',
  'action.approval_required',
  'action.observed',
  'action.simulated',
  'approval.requested',
  'security.destination_blocked',
] as const;
const refusals = [
  'VALIDATION_FAILED',
  'RATE_LIMITED',
  'IDENTITY_SERVICE_UNAVAILABLE',
  'POLICY_SERVICE_UNAVAILABLE',
  'APPROVAL_SERVICE_UNAVAILABLE',
  'AUDIT_SERVICE_UNAVAILABLE',
  'DEPENDENCY_UNAVAILABLE',
] as const;
/** AuthZEN Authorization API 1.0. Paths and members are those of the specification. */
export const accessEndpoints = {
  evaluateAccess: defineEndpoint({
    ...base,
    method: 'POST',
    path: '/access/v1/evaluation',
    summary: 'Evaluate one access request (AuthZEN 1.0). The decision is recorded and never executed.',
    permissions: ['action:evaluate'],
    body: AccessEvaluation,
    result: AccessDecision,
    emits: decisionEvents,
    refuses: refusals,
    automation: 'ALLOWED',
  }),
  evaluateAccessBatch: defineEndpoint({
    ...base,
    method: 'POST',
    path: '/access/v1/evaluations',
    summary: `Evaluate up to ${access.batchMax} access requests in order (AuthZEN 1.0).`,
    permissions: ['action:evaluate'],
    body: AccessBatch,
    result: Type.Union([AccessDecision, closedObject({ evaluations: Type.Array(AccessDecision) })]),
    emits: decisionEvents,
    refuses: refusals,
    automation: 'ALLOWED',
  }),
  searchAccessSubjects: defineEndpoint({
    ...base,
    method: 'POST',
    path: '/access/v1/search/subject',
    summary: 'Search the subjects that may perform an action on a resource (AuthZEN 1.0). Records nothing.',
    permissions: ['agent:read', 'tool:read'],
    writesNothing: 'always',
    body: open({ subject: open({ type, properties }), action: AccessAction, resource: AccessResource, context, page }),
    result: searchResult({ type: Type.String(), id: Type.String() }),
    emits: [],
    refuses: refusals,
    automation: 'ALLOWED',
  }),
  searchAccessResources: defineEndpoint({
    ...base,
    method: 'POST',
    path: '/access/v1/search/resource',
    summary:
      'Search the resources on which a subject may perform an action (AuthZEN 1.0): tools, and ids that the schema of the tool enumerates.',
    permissions: ['agent:read', 'tool:read'],
    writesNothing: 'always',
    body: open({ subject: AccessSubject, action: AccessAction, resource: open({ type, properties }), context, page }),
    result: searchResult({ type: Type.String(), id: Type.String() }),
    emits: [],
    refuses: refusals,
    automation: 'ALLOWED',
  }),
  searchAccessActions: defineEndpoint({
    ...base,
    method: 'POST',
    path: '/access/v1/search/action',
    summary: 'Search the actions that a subject may perform on a resource (AuthZEN 1.0). Records nothing.',
    permissions: ['agent:read', 'tool:read'],
    writesNothing: 'always',
    body: open({ subject: AccessSubject, resource: AccessResource, context, page }),
    result: searchResult({ name: Type.String() }),
    emits: [],
    refuses: refusals,
    automation: 'ALLOWED',
  }),
  getAccessConfiguration: defineEndpoint({
    plane: 'control',
    area: 'actions',
    method: 'GET',
    path: '/.well-known/authzen-configuration',
    summary: 'Get the metadata of the policy decision point (AuthZEN 1.0).',
    credential: 'none',
    budget: 'address',
    wire: 'json',
    result: closedObject({
      policy_decision_point: Type.String(),
      access_evaluation_endpoint: Type.String(),
      access_evaluations_endpoint: Type.String(),
      search_subject_endpoint: Type.String(),
      search_resource_endpoint: Type.String(),
      search_action_endpoint: Type.String(),
    }),
    emits: [],
    refuses: [],
  }),
};
