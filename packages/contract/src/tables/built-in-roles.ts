import type { IdOf } from './ids.ts';
import { PERMISSION_NAMES, type Permission } from './permissions.ts';

export type BuiltInRoleName = 'owner' | 'admin' | 'security' | 'developer' | 'approver' | 'auditor' | 'viewer';

/** A role that every organization has and no one can edit. Its id is the same everywhere. */
export type BuiltInRole = {
  readonly id: IdOf<'role'>;
  readonly name: BuiltInRoleName;
  readonly description: string;
  readonly permissions: readonly Permission[];
};

const reads = PERMISSION_NAMES.filter((name) => name.endsWith(':read'));
const secretive: readonly Permission[] = ['audit:read', 'credential:read', 'apikey:read', 'sso:read'];
const viewerReads = reads.filter((name) => !secretive.includes(name));

/** Responsible for what is in force: activates policies, sets modes, stops agents. Does not create what it judges. */
const security: readonly Permission[] = [
  ...reads,
  'environment:set_mode',
  'environment:pause',
  'agent:pause',
  'agent:resume',
  'agent:suspend',
  'agent:revoke',
  'agent:rotate_credentials',
  'agent:manage_capabilities',
  'policy:create',
  'policy:update',
  'policy:delete',
  'policy:activate',
  'policy:rollback',
  'policy:simulate',
  'tool:update',
  'tool:disable',
  'tool:enable',
  'action:evaluate',
  'delegation:simulate',
  'delegation:update',
  'delegation:revoke',
  'mcp:update',
  'mcp:disable',
  'a2a:update',
  'a2a:block',
  'approval:approve',
  'approval:deny',
  'runtime:verify',
  'runtime:operate',
  'credential:rotate',
  'credential:revoke',
  'risk:acknowledge',
  'risk:update',
  'trust:update',
  'incident:create',
  'incident:update',
  'emergency:execute',
  'audit:export',
  'audit:verify',
  'apikey:revoke',
];

/** Creates agents and tools and drafts policies. Puts nothing in force and approves nothing: a requester does not decide. */
const developer: readonly Permission[] = [
  ...viewerReads,
  'credential:read',
  'apikey:read',
  'agent:create',
  'agent:update',
  'agent:pause',
  'agent:resume',
  'agent:rotate_credentials',
  'agent:manage_capabilities',
  'policy:create',
  'policy:update',
  'policy:simulate',
  'tool:create',
  'tool:update',
  'action:evaluate',
  'delegation:create',
  'delegation:simulate',
  'delegation:update',
  'delegation:revoke',
  'mcp:register',
  'mcp:update',
  'a2a:connect',
  'runtime:manage',
  'runtime:verify',
  'integration:create',
  'integration:update',
  'credential:create',
  'apikey:create',
  'apikey:revoke',
  'webhook:create',
  'webhook:update',
  'webhook:delete',
];

const approver: readonly Permission[] = [
  'organization:read',
  'workspace:read',
  'environment:read',
  'agent:read',
  'policy:read',
  'tool:read',
  'action:read',
  'delegation:read',
  'risk:read',
  'trust:read',
  'approval:read',
  'approval:approve',
  'approval:deny',
];

const builtIn = (ordinal: number, name: BuiltInRoleName, description: string, permissions: readonly Permission[]): BuiltInRole => ({
  id: `rol_${String(ordinal).padStart(26, '0')}`,
  name,
  description,
  permissions,
});

/**
 * Built-in roles in order of authority, strongest first. An administrator holds everything but the deletion of the organization, because no
 * one can grant a permission they do not hold.
 */
export const BUILT_IN_ROLES = [
  builtIn(1, 'owner', 'Full access, including deletion of the organization.', PERMISSION_NAMES),
  builtIn(
    2,
    'admin',
    'Full access, except deletion of the organization.',
    PERMISSION_NAMES.filter((name) => name !== 'organization:delete'),
  ),
  builtIn(3, 'security', 'Activates policies, sets modes, stops agents and handles incidents.', security),
  builtIn(4, 'developer', 'Registers agents and tools, and drafts policies. Cannot activate policies or approve actions.', developer),
  builtIn(5, 'approver', 'Reads the context of approvals, and approves or denies actions.', approver),
  builtIn(6, 'auditor', 'Reads everything, and exports and verifies audit events.', [...reads, 'audit:export', 'audit:verify']),
  builtIn(7, 'viewer', 'Reads everything that is not restricted to auditors and administrators.', viewerReads),
] as const satisfies readonly BuiltInRole[];

/** Roles that an API key may have: all except owner, which is reserved for people. */
export const KEY_ROLES: readonly BuiltInRole[] = BUILT_IN_ROLES.filter(({ name }) => name !== 'owner');

export const isKeyRole = (id: string): boolean => KEY_ROLES.some((role) => role.id === id);

const byName = new Map(BUILT_IN_ROLES.map((role) => [role.name, role]));

export const getBuiltInRole = (name: BuiltInRoleName): BuiltInRole => byName.get(name) as BuiltInRole;

const byId = new Map<string, BuiltInRole>(BUILT_IN_ROLES.map((role) => [role.id, role]));

/** Returns the built-in role with this id, if there is one. */
export const findBuiltInRole = (id: string): BuiltInRole | undefined => byId.get(id);
