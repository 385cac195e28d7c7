import { LIMIT_SUBJECTS } from '@svc/contract/actions/obligations.ts';
import { APPROVER_ROLE_PATTERN } from '@svc/contract/policies/language.ts';
import { getIdPattern } from '@svc/contract/tables/ids.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { APPROVAL_DEFAULTS } from '../language/effects.ts';
import { MASK_PATH_PATTERN } from './condition-schema.ts';

const whole = (min: number, max: number, unit: string | null, fallback: number | null, sentence: string) => ({
  type: 'integer',
  min,
  max,
  unit,
  default: fallback,
  sentence,
});

const paths = (example: string, sentence: string) => ({
  type: 'path_list',
  min: 1,
  max: POLICY_LIMITS.mask_paths_max,
  item_pattern: MASK_PATH_PATTERN,
  item_length_max: POLICY_LIMITS.field_length_max,
  example: [example],
  sentence,
});

/** The members that an effect requires, and of which at least one must be present. */
export const demandMembers = {
  approval: {
    at_least_one_of: [],
    members: {
      approver_role: {
        type: 'string',
        pattern: APPROVER_ROLE_PATTERN,
        default: APPROVAL_DEFAULTS.approver_role,
        sentence: 'Name or id of the role whose members approve.',
      },
      quorum: whole(1, POLICY_LIMITS.quorum_max, 'people', APPROVAL_DEFAULTS.quorum, 'Number of different people who must approve.'),
      expires_in_seconds: whole(
        POLICY_LIMITS.approval_seconds_min,
        POLICY_LIMITS.approval_seconds_max,
        'seconds',
        APPROVAL_DEFAULTS.expires_in_seconds,
        'Time until the request expires.',
      ),
      step_up: { type: 'boolean', default: APPROVAL_DEFAULTS.step_up, sentence: 'Requires re-authentication of the approvers.' },
      approvers: {
        type: 'path_list',
        min: 1,
        max: POLICY_LIMITS.approvers_max,
        unique: true,
        item_pattern: getIdPattern('user'),
        item_length_max: 64,
        example: ['usr_01J00000000000000000000000'],
        sentence: 'Ids of additional people who may approve; the role defaults to "owner" then.',
      },
      escalate_after_seconds: {
        ...whole(
          POLICY_LIMITS.escalation_seconds_min,
          POLICY_LIMITS.approval_seconds_max,
          'seconds',
          null,
          'Time after which another role is asked as well; must be less than the time until the request expires.',
        ),
        requires: 'escalate_to_role',
      },
      escalate_to_role: {
        type: 'string',
        pattern: APPROVER_ROLE_PATTERN,
        default: null,
        requires: 'escalate_after_seconds',
        sentence: 'Name or id of that role.',
      },
    },
  },
  limit: {
    at_least_one_of: ['max_amount', 'max_calls'],
    members: {
      max_amount: whole(
        0,
        Number.MAX_SAFE_INTEGER,
        'minor units of the currency of the version',
        null,
        'Maximum total amount of all calls inside the window, or of a single call if there is no window.',
      ),
      max_calls: {
        ...whole(1, POLICY_LIMITS.calls_max, 'calls', null, 'Maximum number of calls inside the window.'),
        requires: 'window_seconds',
      },
      window_seconds: whole(1, POLICY_LIMITS.window_seconds_max, 'seconds', null, 'Length of the counting window.'),
      per: {
        type: 'string',
        pattern: `^(${LIMIT_SUBJECTS.join('|')})$`,
        words: LIMIT_SUBJECTS,
        default: LIMIT_SUBJECTS[0],
        requires: 'window_seconds',
        sentence: 'Scope of the counter: each agent, or all agents under the authority of one person.',
      },
    },
  },
  mask: {
    at_least_one_of: ['parameters', 'result'],
    members: {
      parameters: paths('customer.iban', 'Paths to mask in the parameters of the request.'),
      result: paths('items.*.email', 'Paths to mask in the result.'),
    },
  },
};
