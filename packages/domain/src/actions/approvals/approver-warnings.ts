import type { PolicyRule } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import { APPROVAL_DEFAULTS } from '@svc/policy/language/effects.ts';
import { isNamed, type Role } from '../../people/roles/role.ts';
import { countsAs, mayApprove } from './approver-role.ts';

/** Every role there is for the organization, and how many of its people hold it. */
export type Staff = readonly (Role & { readonly people: number })[];

const exists = (staff: Staff, asked: string): boolean => staff.some((role) => isNamed(role, asked));

const votersOf = (staff: Staff, asked: string): number =>
  staff.reduce((sum, role) => sum + (countsAs(role, asked) && mayApprove(role) ? role.people : 0), 0);

const people = (count: number): string => (count === 1 ? 'one person is' : `${count} people are`);

const ofRule = (rule: PolicyRule, position: number, staff: Staff): PolicyWarning[] => {
  if (rule.effect !== 'REQUIRE_APPROVAL') return [];
  const { approver_role, quorum } = { ...APPROVAL_DEFAULTS, ...rule.approval };
  const warning = (kind: PolicyWarning['kind'], member: string, message: string): PolicyWarning[] => [
    { kind, rule_id: rule.id, pointer: `/rules/${position}/approval/${member}`, message },
  ];
  if (!exists(staff, approver_role))
    return warning(
      'no_such_role',
      'approver_role',
      `There is no role "${approver_role}" here; name a built-in role, or the id of one that people hold.`,
    );
  const voters = votersOf(staff, approver_role);
  if (voters === 0)
    return warning(
      'no_approver',
      'approver_role',
      `Nobody who may approve holds the role "${approver_role}", so what this rule holds is never approved.`,
    );
  if (voters >= quorum) return [];
  const message = `This rule asks for ${quorum} people, and ${people(voters)} there who could approve, so what it holds is never approved.`;
  return warning('quorum_too_large', 'quorum', message);
};

/** Rules whose approvals nobody could ever grant, by who is in the organization now. An owner counts as whoever is asked for. */
export const approverWarnings = (rules: readonly PolicyRule[], staff: Staff): PolicyWarning[] =>
  rules.flatMap((rule, position) => ofRule(rule, position, staff));
