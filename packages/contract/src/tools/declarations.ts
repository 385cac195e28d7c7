import { type Static, Type } from 'typebox';
import { AUTOMATION_LIMITS } from '../rows/automation-rule.ts';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, enumSchema, id, jsonObject, listQuery, nullable, reason, timestamp } from '../rows/schema.ts';
import { EFFECTS } from '../tables/vocabulary.ts';
import { declarable, onTool, pointer, RegisteredTool, Tool, ToolExecution, ToolWarning } from './tools.ts';

/** Members of a declaration that change its number: all but the description, on which no decision depends. */
export const DECLARED_MEMBERS = [
  ...(['required_capability', 'destination_allowlist', 'risk_rating', 'dangerous', 'parameters_schema'] as const),
  ...(['amount_from', 'currency_from', 'destination_from', 'narrowable', 'execution'] as const),
] as const;

const { properties } = Tool;

/** Members that decisions about a tool depend on. */
export const ToolDeclared = closedObject({
  required_capability: properties.required_capability,
  destination_allowlist: properties.destination_allowlist,
  risk_rating: properties.risk_rating,
  dangerous: properties.dangerous,
  parameters_schema: properties.parameters_schema,
  amount_from: properties.amount_from,
  currency_from: properties.currency_from,
  destination_from: properties.destination_from,
  narrowable: properties.narrowable,
  execution: properties.execution,
});
export type ToolDeclared = Static<typeof ToolDeclared>;

/** Maximum of a PostgreSQL integer. */
const versionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

export const ToolVersion = closedObject({
  version_number: Type.Integer(),
  declaration: ToolDeclared,
  created_at: timestamp,
  created_by: nullable(
    Type.String({ description: 'Author of the declaration; null for declarations from releases that did not record it.' }),
  ),
});
export type ToolVersion = Static<typeof ToolVersion>;

export const DeclaredChange = closedObject({
  member: enumSchema(DECLARED_MEMBERS),
  before: Type.Unknown(),
  after: Type.Unknown(),
});
export type DeclaredChange = Static<typeof DeclaredChange>;

const changes = Type.Array(DeclaredChange, { description: 'Changed members, each with its old and new value.' });

/** Members of a change. Omitted ones stay; null removes a source of a field. */
const changed = {
  description: Type.Optional(declarable.description),
  required_capability: Type.Optional(declarable.required_capability),
  destination_allowlist: Type.Optional(declarable.destination_allowlist),
  risk_rating: Type.Optional(declarable.risk_rating),
  dangerous: Type.Optional(declarable.dangerous),
  parameters_schema: Type.Optional(declarable.parameters_schema),
  amount_from: Type.Optional(nullable(pointer)),
  currency_from: Type.Optional(nullable(pointer)),
  destination_from: Type.Optional(nullable(pointer)),
  narrowable: Type.Optional(declarable.narrowable),
  execution: Type.Optional(ToolExecution),
};
export const ToolChange = closedObject(changed);
export type ToolChange = Static<typeof ToolChange>;

/** How a change affects a rule in force: it reads what changes, no longer applies to the tool, or starts to. */
export const RULE_MOVES = ['READS', 'LEAVES', 'JOINS'] as const;

const inVersion = { policy_id: Type.String(), policy_name: Type.String(), version_id: Type.String() };

export const TouchedRule = closedObject({
  ...inVersion,
  rule_id: Type.String(),
  effect: enumSchema(EFFECTS),
  move: enumSchema(
    RULE_MOVES,
    'READS: the rule reads a changed member. LEAVES: the rule can no longer match requests for the tool. JOINS: the rule can match them only after the change.',
  ),
  fields: Type.Array(Type.String(), { description: 'Changed fields that the rule reads.' }),
});
export type TouchedRule = Static<typeof TouchedRule>;

export const TouchedTest = closedObject({
  ...inVersion,
  name: Type.String(),
  reason: Type.String({ description: 'Reason for the failure.' }),
});
export type TouchedTest = Static<typeof TouchedTest>;

export const ToolPreview = closedObject({
  tool_id: Type.String(),
  declaration_version: Type.Integer({ description: 'Version that the change is based on. Send it as expected_version.' }),
  changes,
  rules: Type.Array(TouchedRule),
  warnings: Type.Array(ToolWarning, { description: 'Probable unintended effects of the change on active rules.' }),
  tests: Type.Array(TouchedTest, {
    description: 'Recorded tests of active versions that state other values for the tool, and fail with the new values.',
  }),
  approvals: closedObject({
    total: Type.Integer({ description: 'Number of open approvals for the tool, which the change withdraws.' }),
    ids: Type.Array(Type.String(), { description: 'The first hundred of these approvals.' }),
  }),
  agents: Type.Array(
    closedObject({ agent_id: Type.String(), name: Type.String(), move: enumSchema(['KEEPS', 'GAINS', 'LOSES', 'LACKS']) }),
    {
      description: 'Agents authorized for the tool, and the effect of the change on their capability.',
    },
  ),
  delegations: Type.Integer({ description: 'Active delegations that name the tool.' }),
  needs: closedObject({
    step_up: Type.Boolean(),
    permissions: Type.Array(Type.String(), { description: 'Additional permissions that the change requires, other than tool:update.' }),
    accept_warnings: Type.Boolean(),
  }),
  analysis: closedObject({
    complete: Type.Boolean(),
    note: nullable(Type.String({ description: 'Parts that were not checked; null if all were.' })),
  }),
});
export type ToolPreview = Static<typeof ToolPreview>;

const example = { risk_rating: 'HIGH' };

export const toolDeclarationEndpoints = {
  updateTool: defineEndpoint({
    ...onTool({
      method: 'PATCH',
      path: '/v1/tools/{toolId}',
      summary:
        'Change the declaration of a tool. Its open approvals are withdrawn. Requires a step-up if the tool is dangerous or critical, to lower its risk rating or to widen its destinations, and agent:manage_capabilities for another capability.',
      permissions: ['tool:update'],
      mayNeed: ['agent:manage_capabilities', 'credential:create', 'step_up'],
    }),
    keepsWhole: true,
    body: closedObject({
      ...changed,
      expected_version: Type.Optional(
        Type.Integer({
          ...versionNumber,
          description:
            'The declaration_version that the change is based on. If the current version differs, nothing is changed (VERSION_CONFLICT).',
        }),
      ),
      accept_warnings: Type.Optional(
        Type.Boolean({
          description: 'Make the change even if it changes the effect of active rules, as shown by the preview.',
        }),
      ),
      reason: Type.Optional(reason),
    }),
    example,
    result: RegisteredTool,
    emits: ['tool.updated', 'approval.cancelled'],
    refuses: [
      ...(['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_CREDENTIAL_REFERENCE', 'INVALID_STATE_TRANSITION', 'VERSION_CONFLICT'] as const),
      ...(['UNPROCESSABLE', 'PERMISSION_DENIED', 'STEP_UP_REQUIRED'] as const),
    ],
    automation: { limit: AUTOMATION_LIMITS.loosens },
  }),
  previewTool: defineEndpoint({
    ...onTool({
      method: 'POST',
      path: '/v1/tools/{toolId}/preview',
      summary: 'Preview a change of the declaration: affected rules, tests, approvals, agents and delegations. Has no side effects.',
      permissions: ['tool:update', 'policy:read'],
    }),
    body: ToolChange,
    example,
    result: ToolPreview,
    writesNothing: 'always',
    emits: [],
    refuses: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_CREDENTIAL_REFERENCE'],
    automation: 'ALLOWED',
  }),
  restrictTool: defineEndpoint({
    ...onTool({
      method: 'POST',
      path: '/v1/tools/{toolId}/restrict',
      summary: 'Narrow the destinations or the agents of a tool. Never widens them.',
      permissions: ['tool:update'],
    }),
    budget: 'emergency',
    body: closedObject({
      destination_allowlist: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 260 }), {
          minItems: 1,
          maxItems: 100,
          description: 'Remaining destinations, each within the current destinations.',
        }),
      ),
      agent_ids: Type.Optional(
        Type.Array(id('Currently authorized agent.'), {
          maxItems: 1_000,
          uniqueItems: true,
          description: 'Agents that remain authorized. The authorization of all others is withdrawn.',
        }),
      ),
      reason,
    }),
    example: { agent_ids: [], reason: 'Under review.' },
    result: Tool,
    emergency: true,
    emits: ['tool.restricted', 'approval.cancelled'],
    refuses: ['NOT_FOUND', 'VALIDATION_FAILED'],
    automation: 'ALLOWED',
  }),
  listToolVersions: defineEndpoint({
    ...onTool({
      method: 'GET',
      path: '/v1/tools/{toolId}/versions',
      summary: 'List the declarations of a tool, newest first.',
      permissions: ['tool:read'],
    }),
    query: listQuery,
    result: Type.Array(ToolVersion),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  diffTool: defineEndpoint({
    ...onTool({
      method: 'GET',
      path: '/v1/tools/{toolId}/diff',
      summary: 'Compare two declarations of a tool.',
      permissions: ['tool:read'],
    }),
    query: closedObject({ from: versionNumber, to: versionNumber }),
    result: closedObject({
      from: Type.Integer(),
      to: Type.Integer(),
      changes,
      patch: Type.Array(jsonObject('Operation of a JSON Patch (RFC 6902).'), {
        description: 'JSON Patch from the older to the newer declaration.',
      }),
    }),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
};
