import { type Static, type TProperties, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, id, namedObject, nullable, timestamp } from '../rows/schema.ts';
import { secret } from '../rows/secret.ts';
import { LIMITS } from '../tables/limits.ts';
import { CLAIM_EVENTS } from './claim-events.ts';

const { scim } = LIMITS;

const GroupRole = closedObject({
  group: Type.String({ minLength: 1, maxLength: 300, description: 'Exact display name of a directory group.' }),
  role_id: id('Role of the group members, except owner. The caller must have all permissions of the role.'),
});

export const ScimConfiguration = closedObject({
  base_url: Type.String({ description: 'SCIM base URL for the directory.' }),
  token_created_at: nullable(timestamp),
  token_created_by: nullable(
    Type.String({ description: 'User who created the token. The token is accepted only while this user may create one.' }),
  ),
  token_opens: Type.Boolean({
    description: 'True if the token is accepted: its creator must have `sso:update` and every role that is assigned here.',
  }),
  default_role_id: id('Role of users without a mapped group.'),
  group_roles: Type.Array(GroupRole, {
    maxItems: scim.groupRolesMax,
    description: 'Mapping of groups to roles. The first group that the user is a member of applies.',
  }),
});
export type ScimConfiguration = Static<typeof ScimConfiguration>;

export const scimSettingsEndpoints = {
  getScimConfiguration: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'GET',
    path: '/v1/sso/scim',
    summary: 'Get the directory provisioning, without its token.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['sso:read'],
    result: ScimConfiguration,
    emits: [],
    refuses: [],
  }),
  updateScimConfiguration: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'PATCH',
    path: '/v1/sso/scim',
    summary: 'Change the roles that are mapped to directory groups. Applies to group members immediately.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['sso:update'],
    body: closedObject({
      default_role_id: Type.Optional(id('Role of users without a mapped group.')),
      group_roles: Type.Optional(Type.Array(GroupRole, { maxItems: scim.groupRolesMax })),
    }),
    result: ScimConfiguration,
    emits: ['scim.configuration_updated', 'member.role_changed', 'approval.cancelled'],
    refuses: ['PERMISSION_DENIED', 'VALIDATION_FAILED', 'RATE_LIMITED'],
  }),
  createScimToken: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/sso/scim-token',
    summary: 'Create a directory token, which is returned once. The previous token becomes invalid.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['sso:update'],
    body: closedObject({}),
    bodyOptional: true,
    result: closedObject({ ...secret('token', Type.String({ description: 'Directory token, returned once.' })), base_url: Type.String() }),
    status: 201,
    emits: ['scim.configuration_updated'],
    refuses: ['PERMISSION_DENIED', 'VALIDATION_FAILED'],
  }),
  revokeScimToken: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'DELETE',
    path: '/v1/sso/scim-token',
    summary: 'Disable provisioning. The directory token becomes invalid; members remain.',
    credential: 'caller',
    budget: 'emergency',
    emergency: true,
    wire: 'json',
    permissions: ['sso:update'],
    result: ScimConfiguration,
    emits: ['scim.configuration_updated'],
    refuses: ['PERMISSION_DENIED'],
  }),
};

const open = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: true });
const schemas = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 20 });

const User = open({
  schemas: Type.Optional(schemas),
  userName: Type.String({ minLength: 1, maxLength: 254 }),
  externalId: Type.Optional(Type.String({ maxLength: 255 })),
});
/** Body of a replacement. Its members are checked by the handler, since a deactivation applies regardless of other errors in the body. */
const Replacement = open({
  userName: Type.Optional(Type.Unknown({ description: 'Required. Must be an e-mail address unless emails contains one.' })),
  active: Type.Optional(Type.Unknown({ description: 'False deactivates the user, even if the rest of the request is refused.' })),
});
const Group = open({
  schemas: Type.Optional(schemas),
  displayName: Type.String({ minLength: 1, maxLength: scim.groupNameCharsMax }),
  members: Type.Optional(Type.Array(Type.Unknown(), { maxItems: scim.groupMembersMax })),
});
const Patch = open({
  schemas,
  Operations: Type.Array(Type.Unknown(), { minItems: 1, maxItems: scim.operationsMax }),
});

const query = closedObject({
  filter: Type.Optional(Type.String({ maxLength: scim.filterCharsMax, description: 'RFC 7644, section 3.4.2.2.' })),
  startIndex: Type.Optional(
    Type.Integer({ minimum: -1_000_000, maximum: LIMITS.pages.offsetMax, description: '1-based index of the first result.' }),
  ),
  count: Type.Optional(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000, description: `At most ${scim.pageMax} are returned.` })),
  attributes: Type.Optional(Type.String({ maxLength: 2_000, description: 'Attributes to return, separated by commas.' })),
  excludedAttributes: Type.Optional(Type.String({ maxLength: 2_000, description: 'Attributes to omit, separated by commas.' })),
});
const oneQuery = closedObject({ attributes: query.properties.attributes, excludedAttributes: query.properties.excludedAttributes });

const base = { plane: 'control', area: 'people', credential: 'directory', budget: 'directory', wire: 'scim' } as const;
const endings = ['member.removed', 'apikey.revoked', 'approval.cancelled'] as const;
const refusals = ['NOT_FOUND', 'ALREADY_EXISTS', 'VALIDATION_FAILED', 'PERMISSION_DENIED'] as const;
const groupRefusals = ['NOT_FOUND', 'ALREADY_EXISTS', 'VALIDATION_FAILED', 'RATE_LIMITED'] as const;
const userResult = namedObject('ScimUser');
const groupResult = namedObject('ScimGroup');
const listResult = namedObject('ScimListResponse');

export const scimEndpoints = {
  listScimUsers: defineEndpoint({
    ...base,
    method: 'GET',
    path: '/scim/v2/Users',
    summary: 'List provisioned users, and members with an address in a verified domain.',
    query,
    result: listResult,
    emits: [],
    refuses: ['VALIDATION_FAILED'],
  }),
  createScimUser: defineEndpoint({
    ...base,
    method: 'POST',
    path: '/scim/v2/Users',
    summary: 'Create a member with an address in a verified domain.',
    query: oneQuery,
    body: User,
    result: userResult,
    status: 201,
    emits: ['member.joined', ...CLAIM_EVENTS],
    refuses: refusals,
  }),
  getScimUser: defineEndpoint({
    ...base,
    method: 'GET',
    path: '/scim/v2/Users/{directoryUserId}',
    summary: 'One person.',
    query: oneQuery,
    result: userResult,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  replaceScimUser: defineEndpoint({
    ...base,
    method: 'PUT',
    path: '/scim/v2/Users/{directoryUserId}',
    summary:
      'Replace a user. With active set to false the membership, sessions and keys end immediately, even if the rest of the request is refused.',
    query: oneQuery,
    body: Replacement,
    repairsText: true,
    result: userResult,
    emits: ['user.profile_updated', 'member.joined', 'member.removed', 'approval.cancelled', ...CLAIM_EVENTS],
    refuses: refusals,
  }),
  patchScimUser: defineEndpoint({
    ...base,
    method: 'PATCH',
    path: '/scim/v2/Users/{directoryUserId}',
    summary: 'Update a user. An active value of false takes effect even if the rest of the request is refused.',
    query: oneQuery,
    body: Patch,
    repairsText: true,
    result: userResult,
    emits: ['user.profile_updated', 'member.joined', 'member.removed', 'approval.cancelled', ...CLAIM_EVENTS],
    refuses: refusals,
  }),
  deleteScimUser: defineEndpoint({
    ...base,
    method: 'DELETE',
    path: '/scim/v2/Users/{directoryUserId}',
    summary: 'Remove a user from the organization. Their sessions and keys end immediately.',
    result: Type.Unknown(),
    status: 204,
    emits: endings,
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED'],
  }),
  listScimGroups: defineEndpoint({
    ...base,
    method: 'GET',
    path: '/scim/v2/Groups',
    summary: 'List directory groups.',
    query,
    result: listResult,
    emits: [],
    refuses: ['VALIDATION_FAILED'],
  }),
  createScimGroup: defineEndpoint({
    ...base,
    method: 'POST',
    path: '/scim/v2/Groups',
    summary: 'Create a group. Its members get the mapped role.',
    query: oneQuery,
    body: Group,
    result: groupResult,
    status: 201,
    emits: ['scim.configuration_updated', 'member.role_changed', 'approval.cancelled'],
    refuses: groupRefusals,
  }),
  getScimGroup: defineEndpoint({
    ...base,
    method: 'GET',
    path: '/scim/v2/Groups/{directoryGroupId}',
    summary: 'One group.',
    query: oneQuery,
    result: groupResult,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  replaceScimGroup: defineEndpoint({
    ...base,
    method: 'PUT',
    path: '/scim/v2/Groups/{directoryGroupId}',
    summary: 'Replace a group.',
    query: oneQuery,
    body: Group,
    result: groupResult,
    emits: ['scim.configuration_updated', 'member.role_changed', 'approval.cancelled'],
    refuses: groupRefusals,
  }),
  patchScimGroup: defineEndpoint({
    ...base,
    method: 'PATCH',
    path: '/scim/v2/Groups/{directoryGroupId}',
    summary: 'Update a group.',
    query: oneQuery,
    body: Patch,
    result: groupResult,
    emits: ['scim.configuration_updated', 'member.role_changed', 'approval.cancelled'],
    refuses: groupRefusals,
  }),
  deleteScimGroup: defineEndpoint({
    ...base,
    method: 'DELETE',
    path: '/scim/v2/Groups/{directoryGroupId}',
    summary: 'Delete a group. Its members get the role of users without a group.',
    result: Type.Unknown(),
    status: 204,
    emits: ['scim.configuration_updated', 'member.role_changed', 'approval.cancelled'],
    refuses: ['NOT_FOUND', 'RATE_LIMITED'],
  }),
};
