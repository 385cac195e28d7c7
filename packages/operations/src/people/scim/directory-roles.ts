import type { ScimSettings } from '@svc/postgres/people/scim/settings.ts';

/** Returns the roles that a directory gives by these settings, with their pointers in the body. */
export const listDirectoryRoles = ({ default_role_id, group_roles }: Pick<ScimSettings, 'default_role_id' | 'group_roles'>) => [
  { role_id: default_role_id, pointer: '/default_role_id' },
  ...group_roles.map(({ role_id }, index) => ({ role_id, pointer: `/group_roles/${index}/role_id` })),
];
