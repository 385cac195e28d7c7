import { type Static, Type } from 'typebox';
import { PolicyWarning } from '../policies/warnings.ts';
import { AUTOMATION_LIMITS } from '../rows/automation-rule.ts';
import { defineEndpoint } from '../rows/endpoint.ts';
import {
  closedObject,
  collection,
  dottedName,
  enumSchema,
  id,
  jsonObject,
  listQuery,
  longText,
  nullable,
  reason,
  timestamp,
  toolName,
} from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';
import { HTTP_METHODS, RISK_RATINGS, TOOL_KINDS } from '../tables/vocabulary.ts';
import { callTerms } from './call-terms.ts';

export const pointer = Type.String({
  maxLength: 300,
  pattern: '^(/([^~/]|~0|~1)*)+$',
  examples: ['/amount'],
  description: 'JSON Pointer into the parameters.',
});
const templates = Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Type.String({ maxLength: 2000 }), { maxProperties: 32 });

/** How an HTTP tool is called; strings may name parameters as {name}. */
export const ToolExecution = closedObject({
  method: enumSchema(HTTP_METHODS),
  url: Type.String({ minLength: 1, maxLength: 2000, description: 'RFC 6570 template over the parameters.' }),
  headers: Type.Optional(templates),
  query: Type.Optional(templates),
  body: Type.Optional(
    Type.Unknown({
      description:
        'JSON in which a string that is exactly {name} is replaced by that parameter. In a form, a member name[*] writes the members of its parameter as name[member].',
    }),
  ),
  credential_id: Type.Optional(id('Credential that authenticates the call.')),
  ...callTerms,
});
export type ToolExecution = Static<typeof ToolExecution>;

/** Members that identify a tool and never change. */
const declared = {
  name: toolName('Unique in its environment, in any case of its letters.', 'refund.create'),
  environment_id: id('Environment the tool belongs to.'),
  kind: enumSchema(
    TOOL_KINDS,
    'HTTP: the gateway calls the tool. SDK: the agent runs the tool after the decision. MCP: the tool belongs to an MCP server. A2A: the tool sends messages over a connection to a remote agent.',
  ),
};
/** Members that a tool declares, and may change later. */
export const declarable = {
  required_capability: dottedName('Capability that an agent needs to use the tool.', 'payments.refund'),
  description: longText('Purpose of the tool.'),
  destination_allowlist: Type.Array(Type.String({ minLength: 1, maxLength: 260 }), {
    maxItems: 100,
    description: 'host or *.host, optionally with :port.',
  }),
  risk_rating: enumSchema(RISK_RATINGS),
  dangerous: Type.Boolean(),
  parameters_schema: jsonObject('JSON Schema of the parameters, draft-04 to 2020-12, as registered.'),
  amount_from: pointer,
  currency_from: pointer,
  destination_from: pointer,
  narrowable: Type.Array(pointer, {
    maxItems: LIMITS.approvals.narrowableMax,
    uniqueItems: true,
    description:
      'Parameters that an approver may narrow, including nested ones: numbers can be moved towards zero, elements and members can be removed. The members in amount_from can always be lowered.',
  }),
  execution: ToolExecution,
};

export const Tool = closedObject({
  id: id('Tool id (tool_).'),
  ...declared,
  required_capability: declarable.required_capability,
  description: declarable.description,
  destination_allowlist: declarable.destination_allowlist,
  risk_rating: declarable.risk_rating,
  dangerous: declarable.dangerous,
  parameters_schema: declarable.parameters_schema,
  amount_from: nullable(Type.String()),
  currency_from: nullable(Type.String()),
  destination_from: nullable(Type.String()),
  narrowable: Type.Array(Type.String()),
  execution: nullable(ToolExecution),
  declaration_version: Type.Integer({
    minimum: 1,
    description: 'Version of the current declaration. Approvals requested for another version are not valid.',
  }),
  status: enumSchema(['ACTIVE', 'DISABLED']),
  disabled_reason: nullable(Type.String()),
  authorized_agent_ids: Type.Array(Type.String()),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Tool = Static<typeof Tool>;

/** A restricting rule in force that a request for the tool can avoid. */
export const ToolWarning = closedObject({
  policy_id: Type.String(),
  policy_name: Type.String(),
  version_id: Type.String(),
  ...PolicyWarning.properties,
});
export type ToolWarning = Static<typeof ToolWarning>;

export const RegisteredTool = closedObject({
  ...Tool.properties,
  warnings: Type.Optional(
    Type.Array(ToolWarning, { description: 'Active strict rules that requests for the tool could bypass; omitted if there are none.' }),
  ),
});
export type RegisteredTool = Static<typeof RegisteredTool>;

export const ToolDeclaration = closedObject({
  ...declared,
  required_capability: declarable.required_capability,
  description: Type.Optional(declarable.description),
  destination_allowlist: Type.Optional(declarable.destination_allowlist),
  risk_rating: Type.Optional(declarable.risk_rating),
  dangerous: Type.Optional(declarable.dangerous),
  parameters_schema: Type.Optional(declarable.parameters_schema),
  amount_from: Type.Optional(pointer),
  currency_from: Type.Optional(pointer),
  destination_from: Type.Optional(pointer),
  narrowable: Type.Optional(declarable.narrowable),
  execution: Type.Optional(ToolExecution),
});
export type ToolDeclaration = Static<typeof ToolDeclaration>;

export const onTool = <const Rest extends object>(rest: Rest) => ({
  plane: 'control' as const,
  area: 'tools' as const,
  credential: 'caller' as const,
  budget: 'caller' as const,
  wire: 'json' as const,
  ...rest,
});

export const toolEndpoints = {
  listTools: defineEndpoint({
    ...onTool({ method: 'GET', path: '/v1/tools', summary: 'List the tools that the caller can access.', permissions: ['tool:read'] }),
    query: Type.Object(
      { ...listQuery.properties, q: Type.Optional(Type.String({ maxLength: 120, description: 'Part of the name.' })) },
      { additionalProperties: false },
    ),
    result: collection(Tool),
    emits: [],
    refuses: [],
  }),
  createTool: defineEndpoint({
    ...onTool({ method: 'POST', path: '/v1/tools', summary: 'Register a tool.', permissions: ['tool:create'] }),
    mayNeed: ['credential:create'],
    idempotent: true,
    body: ToolDeclaration,
    example: {
      name: 'refund.create',
      environment_id: 'env_00000000000000000000000000',
      required_capability: 'refund.create',
      kind: 'SDK',
      risk_rating: 'HIGH',
      parameters_schema: {
        type: 'object',
        properties: { order: { type: 'string' }, amount: { type: 'integer' }, currency: { type: 'string' } },
        required: ['order', 'amount', 'currency'],
        additionalProperties: false,
      },
      amount_from: '/amount',
      currency_from: '/currency',
    },
    result: RegisteredTool,
    status: 201,
    emits: ['tool.created'],
    refuses: [
      ...(['NOT_FOUND', 'ALREADY_EXISTS', 'VALIDATION_FAILED', 'PERMISSION_DENIED', 'INVALID_CREDENTIAL_REFERENCE'] as const),
      ...(['INVALID_STATE_TRANSITION', 'UNPROCESSABLE'] as const),
    ],
    automation: 'ALLOWED',
  }),
  getTool: defineEndpoint({
    ...onTool({ method: 'GET', path: '/v1/tools/{toolId}', summary: 'One tool.', permissions: ['tool:read'] }),
    result: Tool,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  authorizeAgentForTool: defineEndpoint({
    ...onTool({
      method: 'POST',
      path: '/v1/tools/{toolId}/agents',
      summary:
        'Authorize an agent for the tool. Requires a step-up if the tool is dangerous or critical and its environment is of type PRODUCTION, or if the key of the agent was replaced without a step-up.',
      permissions: ['tool:update'],
    }),
    mayNeed: ['step_up'],
    body: closedObject({ agent_id: id('Agent of the same environment.') }),
    result: Tool,
    status: 201,
    emits: ['tool.updated', 'approval.cancelled'],
    refuses: [
      ...(['NOT_FOUND', 'ALREADY_EXISTS', 'INVALID_STATE_TRANSITION', 'VALIDATION_FAILED', 'STEP_UP_REQUIRED', 'UNPROCESSABLE'] as const),
      'PERMISSION_DENIED',
    ],
    automation: { limit: `Not for a dangerous or critical tool in an environment of type PRODUCTION. ${AUTOMATION_LIMITS.stopped}` },
  }),
  withdrawAgentFromTool: defineEndpoint({
    ...onTool({
      method: 'DELETE',
      path: '/v1/tools/{toolId}/agents/{agentId}',
      summary: 'Withdraw the authorization of an agent for the tool.',
      permissions: ['tool:update'],
    }),
    budget: 'emergency',
    result: Tool,
    emergency: true,
    emits: ['tool.restricted'],
    refuses: ['NOT_FOUND'],
    automation: 'ALLOWED',
  }),
  disableTool: defineEndpoint({
    ...onTool({
      method: 'POST',
      path: '/v1/tools/{toolId}/disable',
      summary: 'Disable the tool for all agents.',
      permissions: ['tool:disable'],
    }),
    budget: 'emergency',
    body: closedObject({ reason }),
    result: Tool,
    emergency: true,
    emits: ['tool.disabled'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    automation: 'ALLOWED',
  }),
  enableTool: defineEndpoint({
    ...onTool({
      method: 'POST',
      path: '/v1/tools/{toolId}/enable',
      summary: 'Enable a disabled tool. An API key does not enable one that a person disabled.',
      permissions: ['tool:enable'],
    }),
    body: closedObject({ reason }),
    result: Tool,
    emits: ['tool.enabled'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'PERMISSION_DENIED'],
    automation: { limit: AUTOMATION_LIMITS.stopped },
  }),
};
