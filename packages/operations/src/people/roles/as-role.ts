import type { Role } from '@svc/contract/people/roles.ts';
import { getStepUp, PERMISSIONS, type Permission } from '@svc/contract/tables/permissions.ts';
import type { StoredRole } from '@svc/postgres/people/roles.ts';

/** Formats a role for the API. */
export const asRole = ({ id, name, description, permissions, built_in }: Pick<StoredRole, keyof Role>): Role => ({
  id,
  name,
  description,
  permissions: [...permissions],
  built_in,
});

const STEP_UP = { true: 'ALWAYS', when_reducing: 'WHEN_REDUCING', false: null } as const;

const isKnown = (name: string): name is Permission => Object.hasOwn(PERMISSIONS, name);

/** Formats a permission; an unknown one permits nothing. */
export const reportResult = (name: string) => ({
  permission: name,
  allows: isKnown(name) ? PERMISSIONS[name].description : 'Nothing: this version does not know it.',
  step_up: isKnown(name) ? STEP_UP[`${getStepUp(name)}`] : null,
});
