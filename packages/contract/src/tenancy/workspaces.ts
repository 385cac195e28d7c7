import { type Static, Type } from 'typebox';
import { endpoint } from '../rows/endpoint.ts';
import { closed, id, name, timestamp } from '../rows/schema.ts';

export const Workspace = closed({
  id: id('Workspace id (wsp_).'),
  name: Type.String(),
  slug: Type.String(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Workspace = Static<typeof Workspace>;

export const workspaceEndpoints = {
  listWorkspaces: endpoint({
    plane: 'control',
    area: 'tenancy',
    method: 'GET',
    path: '/v1/workspaces',
    summary: 'Workspaces the caller can see.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['workspace:read'],
    result: Type.Array(Workspace),
    emits: [],
    refuses: [],
  }),
  createWorkspace: endpoint({
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
    body: closed({
      name: name('Name of the workspace.'),
      slug: Type.Optional(
        Type.String({
          pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
          examples: ['payments-eu'],
          description: 'Lower-case letters, digits and hyphens; made from the name when left out.',
        }),
      ),
    }),
    result: Workspace,
    status: 201,
    emits: ['workspace.created'],
    refuses: ['ALREADY_EXISTS', 'PERMISSION_DENIED'],
  }),
};
