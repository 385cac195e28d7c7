import type { MemberRule } from './rows/automation-rule.ts';
import type { Endpoint } from './rows/endpoint.ts';
import { getStepUp, PERMISSION_NAMES, type Permission } from './tables/permissions.ts';

const NO_MEMBERS: Readonly<Record<string, MemberRule>> = {};

/** Returns the members of a body that need a person, each with what it needs. */
export const getMemberRules = ({ automation }: Endpoint): Readonly<Record<string, MemberRule>> =>
  (typeof automation === 'object' && automation.members) || NO_MEMBERS;

/** True if the handler compares the members with what is stored. */
export const isCompared = ({ automation }: Endpoint): boolean => typeof automation === 'object' && automation.compared === true;

/** Members of a body whose change writes a critical event and mails every owner. */
export const getSecurityMembers = (row: Endpoint): readonly string[] =>
  Object.entries(getMemberRules(row)).flatMap(([member, rule]) => (rule === 'STEP_UP' ? [member] : []));

const PERSONAL_NOUNS: ReadonlySet<string> = new Set(['member', 'role', 'apikey']);
const PERSONAL: ReadonlySet<Permission> = new Set(['approval:approve', 'approval:deny']);

/** True for a permission that an API key cannot give: one that needs a step-up, decides approvals, or is about people, roles and keys. */
export const isPersonal = (permission: Permission): boolean =>
  getStepUp(permission) !== false || PERSONAL.has(permission) || PERSONAL_NOUNS.has(permission.split(':')[0] ?? '');

export const PERSONAL_PERMISSIONS: ReadonlySet<string> = new Set(PERMISSION_NAMES.filter(isPersonal));
