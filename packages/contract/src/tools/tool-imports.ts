import { type Static, Type } from 'typebox';
import { CREDENTIAL_SCHEMES, CredentialExtra, Placement } from '../credentials/credentials.ts';
import { AUTOMATION_LIMITS } from '../rows/automation-rule.ts';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, collection, enumSchema, id, jsonObject, listQuery, nullable, timestamp } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';
import { RISK_RATINGS } from '../tables/vocabulary.ts';
import { DeclaredChange } from './declarations.ts';
import { ON_CONFLICT, TakenTool } from './taken-tools.ts';
import { declarable, onTool, ToolExecution, ToolWarning } from './tools.ts';

const { toolImports } = LIMITS;

/** Ways in which a service may require a credential: those of stored ones, and OAuth 2.0 tokens. */
export const WANTED_SCHEMES = [...CREDENTIAL_SCHEMES, 'OAUTH'] as const;
export const OAUTH_FLOWS = ['CLIENT_CREDENTIALS', 'AUTHORIZATION_CODE', 'PASSWORD', 'IMPLICIT'] as const;
export const WantedCredential = closedObject({
  scheme: enumSchema(WANTED_SCHEMES, 'Scheme that the service expects.'),
  name: Type.String({ description: 'Title of the document.' }),
  placement: Placement,
  extras: Type.Optional(Type.Array(CredentialExtra, { maxItems: LIMITS.credentials.extrasMax })),
  scopes: Type.Array(Type.String()),
  oauth: Type.Optional(
    closedObject({
      flow: Type.Optional(enumSchema(OAUTH_FLOWS)),
      token_url: Type.Optional(Type.String()),
      authorization_url: Type.Optional(Type.String()),
    }),
  ),
});
export type WantedCredential = Static<typeof WantedCredential>;

/** Declaration of a tool in a document. */
export const ProposedDeclaration = closedObject({
  description: declarable.description,
  required_capability: declarable.required_capability,
  destination_allowlist: declarable.destination_allowlist,
  risk_rating: declarable.risk_rating,
  dangerous: declarable.dangerous,
  parameters_schema: declarable.parameters_schema,
  execution: ToolExecution,
});
export type ProposedDeclaration = Static<typeof ProposedDeclaration>;

/** Relation of a document to the tools that were applied from its source before. */
export const PROPOSAL_STATES = ['NEW', 'CHANGED', 'UNCHANGED', 'GONE', 'REFUSED'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];
export const IMPORT_ORIGINS = ['BODY', 'FILE', 'ADDRESS', 'CATALOGUE'] as const;
export type ImportOrigin = (typeof IMPORT_ORIGINS)[number];

const source = Type.String({
  minLength: 1,
  maxLength: 30,
  pattern: '^[a-z0-9][a-z0-9_-]*$',
  examples: ['payments'],
  description:
    'Short name of the source, used as the first part of the names of its tools. The next document from the same source is compared with this one.',
});
const baseUrl = Type.String({
  minLength: 8,
  maxLength: 500,
  pattern: '^https?://[^\\s{}?#@\\\\]+$',
  examples: ['https://api.example.com/v1'],
  description: 'Base URL of the operations, if the document has none or another one is needed.',
});

const told = {
  id: id('Import id (tim_).'),
  environment_id: Type.String(),
  source: Type.String(),
  format: Type.String({ description: 'Format and version of the document.' }),
  title: Type.String(),
  version: Type.String({ description: 'Version in the document.' }),
  origin: enumSchema(IMPORT_ORIGINS),
  address: nullable(Type.String({ description: 'URL of the document, without its query.' })),
  base_url: nullable(Type.String()),
  document_hash: Type.String({ description: 'SHA-256 of the document, in hex.' }),
  created_by: Type.String(),
  created_at: timestamp,
};

export const ToolImport = closedObject({
  ...told,
  counts: closedObject({
    total: Type.Integer(),
    NEW: Type.Integer({ description: 'Operations that are not applied yet.' }),
    CHANGED: Type.Integer({ description: 'Applied operations that differ in this document.' }),
    UNCHANGED: Type.Integer({ description: 'Applied operations that do not differ.' }),
    GONE: Type.Integer({
      description: 'Operations that were imported earlier and are missing in this document. Their tools remain until a user disables them.',
    }),
    REFUSED: Type.Integer({ description: 'Operations that cannot be converted to a tool, each with a reason.' }),
  }),
});
export type ToolImport = Static<typeof ToolImport>;

const listed = {
  key: Type.String({ description: 'Key of the operation within its source, which is the same in every document.' }),
  state: enumSchema(PROPOSAL_STATES),
  name: Type.String({ description: 'Name of the tool, or its proposed name.' }),
  operation: Type.String({ description: 'Name in the document.' }),
  summary: Type.String(),
  tool_id: nullable(Type.String({ description: 'Tool that was created from the operation.' })),
  changed_members: Type.Array(Type.String(), { description: 'Changes of the document since the import.' }),
  reason: nullable(Type.String({ description: 'REFUSED: reason that the operation cannot be converted to a tool.' })),
  risk_rating: nullable(enumSchema(RISK_RATINGS)),
  dangerous: nullable(Type.Boolean()),
  risk_reasons: Type.Array(Type.String()),
  required_capability: nullable(Type.String()),
  destinations: Type.Array(Type.String()),
  credentials: Type.Array(WantedCredential, { description: 'Alternative credentials. A call needs one of them.' }),
  notes: Type.Array(Type.String({ description: 'Parts of the document that were skipped or assumed.' })),
};

export const ToolProposal = closedObject(listed);
export type ToolProposal = Static<typeof ToolProposal>;

export const WholeProposal = closedObject({
  ...listed,
  declaration: nullable(ProposedDeclaration),
  changes: Type.Array(DeclaredChange, {
    description: 'CHANGED: members of the tool that would change, each with its current and new value.',
  }),
  conflicts: Type.Array(Type.String(), {
    description:
      'CHANGED: pointers into the declaration to members that both people and the document changed. In changes and change, the values of people are kept.',
  }),
  change: nullable(jsonObject('CHANGED: body for POST /v1/tools/{toolId}/preview and PATCH /v1/tools/{toolId}.')),
});
export type WholeProposal = Static<typeof WholeProposal>;

const chosen = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: toolImports.operationsMax,
  uniqueItems: true,
});

const placed = {
  environment_id: id('Environment for the tools.'),
  source,
  base_url: Type.Optional(baseUrl),
};

const READING = [
  'NOT_FOUND',
  'VALIDATION_FAILED',
  'INVALID_STATE_TRANSITION',
  'CONFLICT',
  'RATE_LIMITED',
  'DEPENDENCY_UNAVAILABLE',
] as const;

export const toolImportEndpoints = {
  createToolImport: defineEndpoint({
    ...onTool({
      method: 'POST',
      path: '/v1/tool-imports',
      summary: 'Import an OpenAPI document, a GraphQL schema or a Postman collection as proposed tools. No tool is created yet.',
      permissions: ['tool:create'],
    }),
    body: closedObject({
      ...placed,
      document: Type.Optional(
        Type.String({
          minLength: 2,
          maxLength: toolImports.inlineCharactersMax,
          description: 'Document as text, JSON or YAML. Send larger documents as a file.',
        }),
      ),
      address: Type.Optional(
        Type.String({ minLength: 8, maxLength: 2_000, pattern: '^https?://', description: 'URL to fetch the document from.' }),
      ),
    }),
    example: {
      environment_id: 'env_00000000000000000000000000',
      source: 'payments',
      document:
        '{"openapi":"3.1.0","info":{"title":"Payments","version":"1"},"servers":[{"url":"https://api.payments.example"}],"paths":{"/refunds":{"post":{"operationId":"createRefund","responses":{}}}}}',
    },
    result: ToolImport,
    status: 201,
    emits: [],
    refuses: READING,
    automation: 'ALLOWED',
  }),
  uploadToolImport: defineEndpoint({
    ...onTool({
      method: 'POST',
      path: '/v1/tool-imports/files',
      summary: 'Import a file as application/octet-stream: JSON or YAML, optionally compressed with gzip.',
      permissions: ['tool:create'],
    }),
    wire: 'file',
    query: closedObject(placed),
    bodyBytesMax: toolImports.documentBytesMax,
    result: ToolImport,
    status: 201,
    emits: [],
    refuses: READING,
    automation: 'ALLOWED',
  }),
  listToolImports: defineEndpoint({
    ...onTool({
      method: 'GET',
      path: '/v1/tool-imports',
      summary: 'List imported documents, newest first.',
      permissions: ['tool:read'],
    }),
    query: listQuery,
    result: collection(ToolImport),
    emits: [],
    refuses: [],
  }),
  getToolImport: defineEndpoint({
    ...onTool({
      method: 'GET',
      path: '/v1/tool-imports/{importId}',
      summary: 'Get an imported document, compared with the existing tools.',
      permissions: ['tool:read'],
    }),
    result: ToolImport,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  deleteToolImport: defineEndpoint({
    ...onTool({
      method: 'DELETE',
      path: '/v1/tool-imports/{importId}',
      summary: 'Delete an imported document and its proposals. Tools created from it remain.',
      permissions: ['tool:create'],
    }),
    result: closedObject({ id: id('Import id (tim_).') }),
    emits: [],
    refuses: ['NOT_FOUND'],
    automation: 'ALLOWED',
  }),
  listToolProposals: defineEndpoint({
    ...onTool({
      method: 'GET',
      path: '/v1/tool-imports/{importId}/proposals',
      summary: 'List the proposed tools of a document, and its unsupported operations with reasons.',
      permissions: ['tool:read'],
    }),
    query: closedObject({
      ...listQuery.properties,
      state: Type.Optional(enumSchema(PROPOSAL_STATES)),
      q: Type.Optional(Type.String({ maxLength: 120, description: 'Part of the name or the operation.' })),
    }),
    result: collection(ToolProposal),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  getToolProposal: defineEndpoint({
    ...onTool({
      method: 'GET',
      path: '/v1/tool-imports/{importId}/proposals/{proposalKey}',
      summary: 'Get a proposed tool with its schema, call, and changes.',
      permissions: ['tool:read'],
    }),
    result: WholeProposal,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  applyToolImport: defineEndpoint({
    ...onTool({
      method: 'POST',
      path: '/v1/tool-imports/{importId}/apply',
      summary:
        'Apply proposed tools: register new tools and change declarations, each like a separate request. Returns the result of each.',
      permissions: ['tool:create'],
    }),
    mayNeed: ['tool:update', 'agent:manage_capabilities', 'credential:create', 'step_up'],
    body: closedObject({
      keys: Type.Optional({ ...chosen, description: 'Keys of the operations to apply. Mutually exclusive with states.' }),
      states: Type.Optional(
        Type.Array(enumSchema(['NEW', 'CHANGED']), {
          minItems: 1,
          uniqueItems: true,
          description: 'States of the operations to apply: all new ones, all changed ones, or both.',
        }),
      ),
      credential_id: Type.Optional(id('Stored credential for the calls of new tools. The credential must list each of the tools.')),
      accept_warnings: Type.Optional(Type.Boolean({ description: 'Change tools even if this changes the effect of active rules.' })),
      on_conflict: Type.Optional(
        enumSchema(
          ON_CONFLICT,
          'Handling of members that both people and the document changed: KEEP keeps the values of people, TAKE applies the document. If omitted, such tools are refused.',
        ),
      ),
    }),
    example: { states: ['NEW'] },
    result: closedObject({
      results: Type.Array(TakenTool),
      counts: closedObject({
        ...{ CREATED: Type.Integer(), UPDATED: Type.Integer(), UNCHANGED: Type.Integer() },
        ...{ REFUSED: Type.Integer(), NOT_REACHED: Type.Integer() },
      }),
      warnings: Type.Array(ToolWarning, {
        description: 'Active strict rules that requests for the new tools could bypass; at most a hundred.',
      }),
    }),
    emits: ['tool.created', 'tool.updated', 'approval.cancelled'],
    refuses: [
      ...(['NOT_FOUND', 'ALREADY_EXISTS', 'VALIDATION_FAILED', 'PERMISSION_DENIED', 'INVALID_CREDENTIAL_REFERENCE'] as const),
      ...(['INVALID_STATE_TRANSITION', 'VERSION_CONFLICT', 'UNPROCESSABLE', 'STEP_UP_REQUIRED'] as const),
    ],
    automation: { limit: AUTOMATION_LIMITS.loosens },
  }),
};
