import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { boundedListQuery, closedObject, enumSchema, id, name, nullable } from '../rows/schema.ts';
import { PERMISSION_NAMES } from '../tables/permissions.ts';

export const Role = closedObject({
  id: id('Role id (rol_).'),
  name: Type.String(),
  description: Type.String(),
  permissions: Type.Array(Type.String()),
  built_in: Type.Boolean(),
});
export type Role = Static<typeof Role>;

/** A permission and its meaning. */
const PermissionTold = closedObject({
  permission: Type.String(),
  allows: Type.String({ description: 'Description of the permission.' }),
  step_up: nullable(enumSchema(['ALWAYS', 'WHEN_REDUCING'], 'Step-up requirement: always, or only for a change that lowers enforcement.')),
});

/** A permission as its holder sees the catalogue. */
const PermissionInCatalogue = closedObject({
  ...PermissionTold.properties,
  held: Type.Boolean({ description: 'True if you have it and may grant it.' }),
});

const Count = Type.Integer({ description: 'Number of members with the role that the caller can see.' });
const RoleInDetail = closedObject({
  ...Role.properties,
  allows: Type.Array(PermissionTold),
  used_by: closedObject({ members: Count, api_keys: Count, invitations: Count }),
});

const permissions = Type.Array(enumSchema(PERMISSION_NAMES), {
  minItems: 1,
  maxItems: PERMISSION_NAMES.length,
  uniqueItems: true,
  description: 'Permissions of the role. You must have all of them.',
});
const roleName = name('Name of the role, different from those of built-in roles.');
const description = Type.String({ maxLength: 500, description: 'Purpose of the role.' });

const onRoles = <const Rest extends object>(rest: Rest) => ({
  plane: 'control' as const,
  area: 'people' as const,
  credential: 'caller' as const,
  budget: 'caller' as const,
  wire: 'json' as const,
  ...rest,
});

export const roleEndpoints = {
  listRoles: defineEndpoint({
    ...onRoles({ method: 'GET', path: '/v1/roles', summary: 'List roles with their permissions.', permissions: ['role:read'] }),
    query: boundedListQuery,
    result: Type.Array(Role),
    emits: [],
    refuses: [],
  }),
  listPermissions: defineEndpoint({
    ...onRoles({
      method: 'GET',
      path: '/v1/roles/permissions',
      summary: 'List all permissions with a description, and the ones you have.',
      permissions: ['role:read'],
    }),
    result: Type.Array(PermissionInCatalogue),
    emits: [],
    refuses: [],
  }),
  getRole: defineEndpoint({
    ...onRoles({
      method: 'GET',
      path: '/v1/roles/{roleId}',
      summary: 'Get a role: a description of its permissions, and the number of members.',
      permissions: ['role:read'],
    }),
    result: RoleInDetail,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  createRole: defineEndpoint({
    ...onRoles({
      method: 'POST',
      path: '/v1/roles',
      summary: 'Create a role from permissions that you have.',
      permissions: ['role:create'],
    }),
    body: closedObject({ name: roleName, description: Type.Optional(description), permissions }),
    result: Role,
    status: 201,
    emits: ['role.created'],
    refuses: ['PERMISSION_DENIED', 'VALIDATION_FAILED', 'ALREADY_EXISTS', 'UNPROCESSABLE'],
    automation: {
      limit:
        'Only permissions that the key has. The role has no effect until a person, or a group mapping created by a person, assigns it.',
    },
  }),
  updateRole: defineEndpoint({
    ...onRoles({
      method: 'PATCH',
      path: '/v1/roles/{roleId}',
      summary: 'Change a role of the organization. Applies to the next request of each member who has it.',
      permissions: ['role:update'],
    }),
    body: closedObject({ name: Type.Optional(roleName), description: Type.Optional(description), permissions: Type.Optional(permissions) }),
    result: Role,
    emits: ['role.updated', 'approval.cancelled'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'VALIDATION_FAILED', 'ALREADY_EXISTS', 'UNPROCESSABLE'],
  }),
  deleteRole: defineEndpoint({
    ...onRoles({
      method: 'DELETE',
      path: '/v1/roles/{roleId}',
      summary: 'Delete an unused role. If members have it, the error lists them.',
      permissions: ['role:delete'],
    }),
    result: Role,
    emits: ['role.deleted'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'CONFLICT', 'UNPROCESSABLE'],
    automation: { limit: 'Only a role that no member, key, invitation, group mapping or rule uses.' },
  }),
};
