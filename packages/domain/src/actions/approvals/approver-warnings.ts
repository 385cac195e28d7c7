import type { PolicyRule } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import { readApprovalDemand } from '@svc/policy/language/effects.ts';
import { isNamed, type RoleRecord } from '../../people/roles/role.ts';
import { countsAs, mayApprove } from './approver-role.ts';

/** Every role there is for the organization, and who of its people hold it. */
export type Staff = readonly (RoleRecord & { readonly member_ids: readonly string[] })[];

const exists = (staff: Staff, asked: string): boolean => staff.some((role) => isNamed(role, asked));

/** Returns the possible voters: holders of the roles, and the named people. */
const getVoters = (staff: Staff, roles: readonly string[], named: readonly string[] = []): ReadonlySet<string> =>
  new Set(
    staff
      .filter(mayApprove)
      .flatMap((role) =>
        roles.some((asked) => countsAs(role, asked)) ? role.member_ids : role.member_ids.filter((id) => named.includes(id)),
      ),
  );

const people = (count: number): string => (count === 1 ? 'one person is' : `${count} people are`);

type Warn = (kind: PolicyWarning['kind'], member: string, message: string) => PolicyWarning[];

const ofRoles = (staff: Staff, warning: Warn, members: Readonly<Record<string, string | undefined>>): PolicyWarning[] =>
  Object.entries(members).flatMap(([member, asked]) => {
    if (asked === undefined || exists(staff, asked)) return [];
    return warning('no_such_role', member, `There is no role "${asked}"; use a built-in role, or the id of a role that members have.`);
  });

const ofPeople = (staff: Staff, warning: Warn, named: readonly string[]): PolicyWarning[] =>
  named.flatMap((id, index) => {
    const role = staff.find(({ member_ids }) => member_ids.includes(id));
    if (role === undefined) return warning('no_such_person', `approvers/${index}`, `No member has the id ${id}, or the member has left.`);
    if (mayApprove(role)) return [];
    return warning('no_such_person', `approvers/${index}`, `${id} holds a role that may not approve.`);
  });

const ofRule = (rule: PolicyRule, position: number, staff: Staff): PolicyWarning[] => {
  if (rule.effect !== 'REQUIRE_APPROVAL') return [];
  const { approver_role, quorum, approvers = [], escalate_to_role } = readApprovalDemand(rule.approval);
  const warning: Warn = (kind, member, message) => [{ kind, rule_id: rule.id, pointer: `/rules/${position}/approval/${member}`, message }];
  const wrong = [...ofRoles(staff, warning, { approver_role, escalate_to_role }), ...ofPeople(staff, warning, approvers)];
  if (wrong.some(({ kind }) => kind === 'no_such_role')) return wrong;
  const voters = getVoters(staff, [approver_role], approvers).size;
  if (voters === 0)
    return [
      ...wrong,
      ...warning(
        'no_approver',
        'approver_role',
        `No member who may approve has the role "${approver_role}"${approvers.length > 0 ? ' or is named' : ''}, so requests that match this rule can never be approved.`,
      ),
    ];
  if (escalate_to_role !== undefined && getVoters(staff, [escalate_to_role]).size === 0)
    wrong.push(
      ...warning(
        'no_approver',
        'escalate_to_role',
        `No member who may approve has the role "${escalate_to_role}", so escalation has no effect.`,
      ),
    );
  if (voters >= quorum) return wrong;
  const message = `This rule requires ${quorum} approvers, but only ${people(voters)} can approve, so requests that match it are never approved.`;
  return [...wrong, ...warning('quorum_too_large', 'quorum', message)];
};

/** Returns rules whose approvals no current member of the organization could grant. An owner counts as any requested role. */
export const listApproverWarnings = (rules: readonly PolicyRule[], staff: Staff): PolicyWarning[] =>
  rules.flatMap((rule, position) => ofRule(rule, position, staff));
