import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { type Malformed, times, withOperator } from './version.ts';

const APPROVALS: readonly (readonly [string, unknown, RegExp])[] = [
  ['quorum', 0, /whole number from 1 to 10/],
  ['quorum', 11, /from 1 to 10/],
  ['quorum', 1.5, /whole number/],
  ['quorum', '1', /whole number/],
  ['quorum', 1e308, /whole number/],
  ['expires_in_seconds', 59, /from 60 to/],
  ['expires_in_seconds', -1, /from 60 to/],
  ['expires_in_seconds', 604_801, /to 604800/],
  ['expires_in_seconds', null, /whole number/],
  ['approver_role', 'nobody here', /name or id of a role, for example/],
  ['approver_role', 7, /for example/],
  ['step_up', 'yes', /true or false/],
  ['quorom', 1, /mean "quorum"/],
  ['__proto', 1, /Its members are/],
];

const PERSON = 'usr_01J00000000000000000000000';
const ESCALATED = { escalate_after_seconds: 600, escalate_to_role: 'owner' };

/** Invalid additional approvers and escalations. */
const ASKED: readonly (readonly [string, object, RegExp])[] = [
  ['/approvers', { approvers: [] }, /list of 1 to \d+ user ids/],
  ['/approvers', { approvers: PERSON }, /list of 1 to/],
  ['/approvers', { approvers: null }, /list of 1 to/],
  ['/approvers', { approvers: times(POLICY_LIMITS.approvers_max + 1, (n) => `${PERSON.slice(0, -3)}${100 + n}`) }, /list of 1 to/],
  ['/approvers/0', { approvers: ['ada@example.com'] }, /Must be a user id/],
  ['/approvers/0', { approvers: [7] }, /Must be a user id/],
  ['/approvers/0', { approvers: [PERSON.replace('usr', 'agt')] }, /Must be a user id/],
  ['/approvers/1', { approvers: [PERSON, PERSON] }, /must be unique/],
  ['', { escalate_after_seconds: 600 }, /requires "escalate_to_role"/],
  ['', { escalate_to_role: 'owner' }, /requires "escalate_after_seconds"/],
  ['/escalate_to_role', { ...ESCALATED, escalate_to_role: 'nobody here' }, /name or id of a role, for example/],
  ['/escalate_to_role', { ...ESCALATED, escalate_to_role: null }, /name or id of a role/],
  ['/escalate_to_role', { ...ESCALATED, approver_role: 'owner' }, /must differ from the approver role/],
  ['/escalate_after_seconds', { ...ESCALATED, escalate_after_seconds: 0 }, /whole number from/],
  ['/escalate_after_seconds', { ...ESCALATED, escalate_after_seconds: '600' }, /whole number/],
  ['/escalate_after_seconds', { ...ESCALATED, escalate_after_seconds: null }, /whole number/],
  ['/escalate_after_seconds', { ...ESCALATED, expires_in_seconds: 600 }, /less than 600/],
  ['/escalate_after_seconds', { ...ESCALATED, escalate_after_seconds: 3_600 }, /less than 3600/],
  ['/escalate_to', { escalate_to: 'owner' }, /Its members are.*escalate_to_role/],
];

const LIMITS: readonly (readonly [string, object, RegExp])[] = [
  ['/max_amount', { max_amount: -1 }, /whole number from 0/],
  ['/max_amount', { max_amount: 0.1 }, /whole number/],
  ['/max_amount', { max_amount: 9_007_199_254_740_992 }, /whole number from 0 to 9007199254740991/],
  ['/max_amount', { max_amount: '10' }, /whole number/],
  ['/max_calls', { max_calls: 0, window_seconds: 60 }, /from 1 to/],
  ['/max_calls', { max_calls: 1e9, window_seconds: 60 }, /to 1000000/],
  ['/window_seconds', { max_calls: 1, window_seconds: 0 }, /from 1 to/],
  ['/window_seconds', { max_calls: 1, window_seconds: 1e10 }, /to 2678400/],
  ['', {}, /"max_amount", "max_calls" or both/],
  ['/per', { max_calls: 1, window_seconds: 60, per: 'person' }, /"agent" or "root_principal"/],
  ['', { max_amount: 1, per: 'agent' }, /"per" requires "window_seconds"/],
  ['/max_call', { max_call: 1 }, /mean "max_calls"/],
];

const OTHERS: readonly Malformed[] = [
  {
    what: 'LIMIT without a limit',
    body: withOperator({ effect: 'LIMIT' }),
    pointer: '/rules/0/limit',
    says: /requires the member "limit"/,
  },
  { what: 'MASK without a mask', body: withOperator({ effect: 'MASK' }), pointer: '/rules/0/mask', says: /requires the member "mask"/ },
  {
    what: 'a mask of nothing',
    body: withOperator({ effect: 'MASK', mask: {} }),
    pointer: '/rules/0/mask',
    says: /"parameters", "result" or both/,
  },
  {
    what: 'a mask of no paths',
    body: withOperator({ effect: 'MASK', mask: { result: [] } }),
    pointer: '/rules/0/mask/result',
    says: /1 to 50 paths, for example/,
  },
  {
    what: 'a mask of too many paths',
    body: withOperator({ effect: 'MASK', mask: { result: times(51, (n) => `a${n}`) } }),
    pointer: '/rules/0/mask/result',
    says: /1 to 50/,
  },
  {
    what: 'a mask that is no path',
    body: withOperator({ effect: 'MASK', mask: { parameters: ['a', 'b..c'] } }),
    pointer: '/rules/0/mask/parameters/1',
    says: /joined by dots/,
  },
  {
    what: 'a mask that is no text',
    body: withOperator({ effect: 'MASK', mask: { parameters: [7] } }),
    pointer: '/rules/0/mask/parameters/0',
    says: /must be a string, for example/,
  },
  {
    what: 'a limit of an approval',
    body: withOperator({ effect: 'REQUIRE_APPROVAL', limit: {} }),
    pointer: '/rules/0/limit',
    says: /is not allowed with.*remove it/,
  },
  {
    what: 'an approval of a block',
    body: withOperator({ approval: {} }),
    pointer: '/rules/0/approval',
    says: /is not allowed with.*remove it/,
  },
];

/** Invalid obligations of effects. */
export const listWrongObligations = (): Malformed[] => [
  ...APPROVALS.map(([member, value, says]) => ({
    what: `approval.${member} ${String(value)}`,
    body: withOperator({ effect: 'REQUIRE_APPROVAL', approval: { [member]: value } }),
    pointer: `/rules/0/approval/${member}`,
    says,
  })),
  ...ASKED.map(([member, approval, says]) => ({
    what: `approval ${JSON.stringify(approval).slice(0, 100)}`,
    body: withOperator({ effect: 'REQUIRE_APPROVAL', approval }),
    pointer: `/rules/0/approval${member}`,
    says,
  })),
  ...LIMITS.map(([member, limit, says]) => ({
    what: `limit ${JSON.stringify(limit)}`,
    body: withOperator({ effect: 'LIMIT', limit }),
    pointer: `/rules/0/limit${member}`,
    says,
  })),
  ...OTHERS,
];
