import { type Static, Type } from 'typebox';
import { AUTOMATION_LIMITS } from '../rows/automation-rule.ts';
import { defineEndpoint } from '../rows/endpoint.ts';
import { boundedListQuery, closedObject, id, name, nullable, reason, timestamp } from '../rows/schema.ts';

export const Workspace = closedObject({
  id: id('Workspace id (wsp_).'),
  name: Type.String(),
  slug: Type.String(),
  archived_at: nullable({
    ...timestamp,
    description: 'Time of the archiving, which stops all execution and prevents new resources; null if not archived.',
  }),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Workspace = Static<typeof Workspace>;

export const workspaceEndpoints = {
  listWorkspaces: defineEndpoint({
    plane: 'control',
    area: 'tenancy',
    method: 'GET',
    path: '/v1/workspaces',
    summary: 'List the workspaces that the caller can access.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['workspace:read'],
    query: boundedListQuery,
    result: Type.Array(Workspace),
    emits: [],
    refuses: [],
  }),
  createWorkspace: defineEndpoint({
    plane: 'control',
    area: 'tenancy',
    method: 'POST',
    path: '/v1/workspaces',
    summary: 'Create a workspace.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['workspace:create'],
    idempotent: true,
    body: closedObject({
      name: name('Name of the workspace.'),
      slug: Type.Optional(
        Type.String({
          pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
          examples: ['payments-eu'],
          description: 'Lower-case letters, digits and hyphens. Defaults to a slug derived from the name.',
        }),
      ),
    }),
    result: Workspace,
    status: 201,
    emits: ['workspace.created'],
    refuses: ['ALREADY_EXISTS', 'PERMISSION_DENIED', 'UNPROCESSABLE'],
    automation: 'ALLOWED',
  }),
  updateWorkspace: defineEndpoint({
    plane: 'control',
    area: 'tenancy',
    method: 'PATCH',
    path: '/v1/workspaces/{workspaceId}',
    summary: 'Rename a workspace, or unarchive it, which requires a step-up, a reason and environment:pause.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['workspace:update'],
    mayNeed: ['environment:pause', 'step_up'],
    body: closedObject({
      name: Type.Optional(name('New name of the workspace. The slug does not change.')),
      archived: Type.Optional(
        Type.Literal(false, { description: 'False unarchives the workspace. Its agents can act again unless something else prevents it.' }),
      ),
      reason: Type.Optional(reason),
    }),
    result: Workspace,
    emits: ['workspace.updated'],
    refuses: ['NOT_FOUND', 'STEP_UP_REQUIRED', 'VALIDATION_FAILED', 'PERMISSION_DENIED'],
    automation: { limit: AUTOMATION_LIMITS.reduces },
  }),
  archiveWorkspace: defineEndpoint({
    plane: 'control',
    area: 'tenancy',
    method: 'POST',
    path: '/v1/workspaces/{workspaceId}/archive',
    summary: 'Archive a workspace: stops all protected execution and prevents new resources in it. Existing data remains readable.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['workspace:update', 'environment:pause'],
    body: closedObject({ reason }),
    result: Workspace,
    emits: ['workspace.updated', 'approval.cancelled'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'PERMISSION_DENIED'],
  }),
};
