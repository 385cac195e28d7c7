import { type Static, Type } from 'typebox';
import { AUTOMATION_LIMITS } from '../rows/automation-rule.ts';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, collection, enumSchema, id, listQuery, name, nullable, timestamp } from '../rows/schema.ts';
import { SENT_WHOLE, secret } from '../rows/secret.ts';
import { LIMITS } from '../tables/limits.ts';
import { ON_CONFLICT, TakenTool } from './taken-tools.ts';
import { onTool, ToolWarning } from './tools.ts';

const { credentials, toolImports } = LIMITS;

export const INTEGRATION_STATUSES = ['ACTIVE', 'REMOVED'] as const;
export type IntegrationStatus = (typeof INTEGRATION_STATUSES)[number];

const values = Type.Record(Type.String({ minLength: 1, maxLength: 40 }), Type.String({ minLength: 1, maxLength: 300 }), {
  maxProperties: 10,
  description: 'Values that the catalogue lists under enter, other than secrets.',
});

const IntegrationTool = closedObject({
  key: Type.String({ description: 'Key of the action in the catalogue.' }),
  tool_id: Type.String(),
  name: Type.String({ description: 'Name of the tool.' }),
  status: enumSchema(['ACTIVE', 'DISABLED']),
});

export const Integration = closedObject({
  id: id('Integration id (itg_).'),
  application: Type.String({ description: 'Key of the application in the catalogue.' }),
  name: Type.String(),
  workspace_id: Type.String(),
  environment_id: Type.String(),
  source: Type.String({ description: 'First part of the names of its tools.' }),
  entry_version: Type.Integer({ description: 'Version of the entry that the tools were last compared with.' }),
  update_available: Type.Boolean({ description: 'True if the catalogue has a newer version of the entry.' }),
  values,
  credential_id: Type.String(),
  import_id: nullable(Type.String({ description: 'Import that the tools were applied from; null if it was deleted.' })),
  status: enumSchema(INTEGRATION_STATUSES, 'REMOVED: its tools are disabled.'),
  tools: Type.Array(IntegrationTool),
  created_by: Type.String(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Integration = Static<typeof Integration>;

const actions = Type.Array(Type.String({ minLength: 1, maxLength: 60 }), {
  minItems: 1,
  maxItems: 60,
  uniqueItems: true,
  description: 'Keys of actions that become tools.',
});

const SETTING_UP = ['NOT_FOUND', 'ALREADY_EXISTS', 'VALIDATION_FAILED', 'INVALID_STATE_TRANSITION', 'UNPROCESSABLE', 'CONFLICT'] as const;

export const integrationEndpoints = {
  listIntegrations: defineEndpoint({
    ...onTool({
      method: 'GET',
      path: '/v1/integrations',
      summary: 'List integrations with applications, newest first.',
      permissions: ['integration:read'],
    }),
    query: closedObject({
      ...listQuery.properties,
      environment_id: Type.Optional(Type.String({ maxLength: 64 })),
      status: Type.Optional(enumSchema(INTEGRATION_STATUSES)),
    }),
    result: collection(Integration),
    emits: [],
    refuses: [],
  }),
  createIntegration: defineEndpoint({
    ...onTool({
      method: 'POST',
      path: '/v1/integrations',
      summary:
        'Set up an application of the catalogue: store its credential and register its actions as tools, all or nothing. Send secrets, or credential_id of a stored credential that lists the tools.',
      permissions: ['integration:create', 'tool:create', 'credential:create'],
    }),
    idempotent: true,
    body: closedObject({
      application: Type.String({ minLength: 1, maxLength: 30, description: 'Key of the application in the catalogue.' }),
      environment_id: id('Environment for the tools and the credential.'),
      name: Type.Optional(name('Name of the integration and its credential. Default: the name of the application.')),
      source: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 30,
          pattern: '^[a-z0-9][a-z0-9_-]*$',
          description: 'First part of the names of the tools. Default: the key of the application.',
        }),
      ),
      values: Type.Optional(values),
      secrets: Type.Optional(
        Type.Array(
          closedObject({
            name: Type.String({ minLength: 1, maxLength: 40, description: 'Name that the catalogue lists under enter.' }),
            ...secret('secret', Type.String({ minLength: 1, maxLength: credentials.secretCharsMax, pattern: SENT_WHOLE })),
          }),
          { minItems: 1, maxItems: 6, description: 'Secrets of the application. Sealed, and never returned.' },
        ),
      ),
      credential_id: Type.Optional(id('Stored credential, instead of secrets.')),
      actions: Type.Optional({ ...actions, description: 'Keys of actions that become tools. Default: all that the service performs.' }),
    }),
    example: {
      application: 'github',
      environment_id: 'env_00000000000000000000000000',
      secrets: [{ name: 'token', secret: 'a-token-of-the-service' }],
      actions: ['issue.create'],
    },
    result: closedObject({
      ...Integration.properties,
      warnings: Type.Optional(Type.Array(ToolWarning, { description: 'Active strict rules that requests for the tools could bypass.' })),
    }),
    status: 201,
    emits: ['integration.created', 'credential.created', 'tool.created'],
    refuses: [...SETTING_UP, 'INVALID_CREDENTIAL_REFERENCE'],
    automation: 'ALLOWED',
  }),
  getIntegration: defineEndpoint({
    ...onTool({
      method: 'GET',
      path: '/v1/integrations/{integrationId}',
      summary: 'Get an integration with its tools.',
      permissions: ['integration:read'],
    }),
    result: Integration,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  updateIntegration: defineEndpoint({
    ...onTool({
      method: 'PATCH',
      path: '/v1/integrations/{integrationId}',
      summary:
        'Change an integration: add actions, change values, or take over the newest entry of the catalogue. Tools change like those of an import.',
      permissions: ['integration:update', 'tool:create'],
    }),
    mayNeed: ['tool:update', 'agent:manage_capabilities', 'credential:create', 'step_up'],
    body: closedObject({
      name: Type.Optional(name('Name of the integration.')),
      values: Type.Optional(values),
      actions: Type.Optional(actions),
      entry_version: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Version of the entry that the tools are updated to: the newest.' }),
      ),
      accept_warnings: Type.Optional(Type.Boolean({ description: 'Change tools even if this changes the effect of active rules.' })),
      on_conflict: Type.Optional(
        enumSchema(ON_CONFLICT, 'Members that both people and the entry changed: KEEP the values of people, or TAKE those of the entry.'),
      ),
    }),
    example: { name: 'GitHub, support team' },
    result: closedObject({
      ...Integration.properties,
      results: Type.Array(TakenTool, {
        maxItems: toolImports.operationsMax,
        description: 'Result for each tool; empty if none was to change.',
      }),
    }),
    emits: ['integration.updated', 'tool.created', 'tool.updated', 'approval.cancelled'],
    refuses: [...SETTING_UP, 'PERMISSION_DENIED', 'INVALID_CREDENTIAL_REFERENCE', 'VERSION_CONFLICT', 'STEP_UP_REQUIRED'],
    automation: { limit: AUTOMATION_LIMITS.loosens },
  }),
  removeIntegration: defineEndpoint({
    ...onTool({
      method: 'DELETE',
      path: '/v1/integrations/{integrationId}',
      summary: 'Remove an integration and disable its tools. Its credential remains until it is revoked.',
      permissions: ['integration:update', 'tool:disable'],
    }),
    result: Integration,
    emits: ['integration.updated', 'tool.disabled'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    automation: 'ALLOWED',
  }),
};
