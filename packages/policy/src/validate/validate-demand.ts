import { LIMIT_SUBJECTS } from '@svc/contract/actions/obligations.ts';
import { APPROVER_ROLE_PATTERN } from '@svc/contract/policies/language.ts';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { isId } from '@svc/contract/tables/ids.ts';
import { POLICY_LIMITS as LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { APPROVAL_DEFAULTS, type DemandName } from '../language/effects.ts';
import { checkMembers } from '../values/check-members.ts';
import { addFault, below, type Fault } from '../values/faults.ts';
import { isAnyDepth, parsePath } from '../values/path.ts';
import { checkWhole } from './check-text.ts';

const approverRole = new RegExp(APPROVER_ROLE_PATTERN);

const APPROVAL_MEMBERS = [
  ...['approver_role', 'quorum', 'expires_in_seconds', 'step_up'],
  ...['approvers', 'escalate_after_seconds', 'escalate_to_role'],
];

const validateApprovers = (faults: Fault[], pointer: string, value: unknown): void => {
  if (!Array.isArray(value) || value.length === 0 || value.length > LIMITS.approvers_max) {
    addFault(faults, pointer, `Additional approvers must be a list of 1 to ${LIMITS.approvers_max} user ids.`);
    return;
  }
  const seen = new Set<unknown>();
  for (const [index, id] of value.entries()) {
    if (typeof id !== 'string' || !isId('user', id)) addFault(faults, below(pointer, index), 'Must be a user id, which starts with usr_.');
    else if (seen.has(id)) addFault(faults, below(pointer, index), 'User ids must be unique.');
    seen.add(id);
  }
};

/** A role that differs from the escalating one. */
const validateEscalatedRole = (faults: Fault[], pointer: string, to: unknown, from: unknown): void => {
  if (typeof to !== 'string' || !approverRole.test(to))
    addFault(faults, pointer, 'The escalation role must be the name or id of a role, for example "security".');
  else if (to === from) addFault(faults, pointer, 'The escalation role must differ from the approver role.');
};

/** Both members or neither, and within the maximum time. */
const validateEscalation = (faults: Fault[], pointer: string, value: JsonObject): void => {
  const { escalate_after_seconds: after, escalate_to_role: to, expires_in_seconds: ends = APPROVAL_DEFAULTS.expires_in_seconds } = value;
  if (to !== undefined) validateEscalatedRole(faults, below(pointer, 'escalate_to_role'), to, value.approver_role);
  else if (after !== undefined) addFault(faults, pointer, '"escalate_after_seconds" requires "escalate_to_role".');
  if (after === undefined) {
    if (to !== undefined) addFault(faults, pointer, '"escalate_to_role" requires "escalate_after_seconds".');
    return;
  }
  const at = below(pointer, 'escalate_after_seconds');
  checkWhole(faults, at, after, 'The time until escalation', LIMITS.escalation_seconds_min, LIMITS.approval_seconds_max);
  if (typeof after === 'number' && typeof ends === 'number' && after >= ends)
    addFault(faults, at, `Must be less than ${ends}, the seconds after which the request expires; otherwise the escalation never happens.`);
};

const validateApproval = (faults: Fault[], pointer: string, value: unknown): void => {
  if (!checkMembers(faults, pointer, value, '"approval"', APPROVAL_MEMBERS)) return;
  if (value.approvers !== undefined) validateApprovers(faults, below(pointer, 'approvers'), value.approvers);
  validateEscalation(faults, pointer, value);
  if (value.approver_role !== undefined && !(typeof value.approver_role === 'string' && approverRole.test(value.approver_role))) {
    addFault(faults, below(pointer, 'approver_role'), 'The approver role must be the name or id of a role, for example "approver".');
  }
  if (value.quorum !== undefined) checkWhole(faults, below(pointer, 'quorum'), value.quorum, 'The quorum', 1, LIMITS.quorum_max);
  if (value.expires_in_seconds !== undefined) {
    const at = below(pointer, 'expires_in_seconds');
    checkWhole(faults, at, value.expires_in_seconds, 'The time to decide', LIMITS.approval_seconds_min, LIMITS.approval_seconds_max);
  }
  if (value.step_up !== undefined && typeof value.step_up !== 'boolean') {
    addFault(faults, below(pointer, 'step_up'), '"step_up" must be true or false.');
  }
};

const validateLimit = (faults: Fault[], pointer: string, value: unknown): void => {
  if (!checkMembers(faults, pointer, value, '"limit"', ['max_amount', 'max_calls', 'window_seconds', 'per'])) return;
  const check = (name: string, what: string, min: number, max: number) => {
    if (value[name] !== undefined) checkWhole(faults, below(pointer, name), value[name], what, min, max);
  };
  check('max_amount', 'The amount in minor units', 0, Number.MAX_SAFE_INTEGER);
  check('max_calls', 'The number of calls', 1, LIMITS.calls_max);
  check('window_seconds', 'The window in seconds', 1, LIMITS.window_seconds_max);
  if (value.max_amount === undefined && value.max_calls === undefined) {
    addFault(faults, pointer, '"limit" requires "max_amount", "max_calls" or both.');
  }
  if (value.max_calls !== undefined && value.window_seconds === undefined) {
    addFault(faults, pointer, '"max_calls" requires "window_seconds", the time in which calls are counted.');
  }
  if (value.per !== undefined && !LIMIT_SUBJECTS.some((subject) => subject === value.per)) {
    addFault(faults, below(pointer, 'per'), `"per" must be ${LIMIT_SUBJECTS.map((name) => `"${name}"`).join(' or ')}.`);
  }
  if (value.per !== undefined && value.window_seconds === undefined) {
    addFault(faults, pointer, '"per" requires "window_seconds"; without a window nothing is counted.');
  }
};

const validatePaths = (faults: Fault[], pointer: string, value: unknown): void => {
  if (!Array.isArray(value) || value.length === 0 || value.length > LIMITS.mask_paths_max) {
    addFault(faults, pointer, `Must be a list of 1 to ${LIMITS.mask_paths_max} paths, for example ["customer.iban"].`);
    return;
  }
  for (const [index, path] of value.entries()) {
    const parsed =
      typeof path === 'string' && path.length <= LIMITS.field_length_max
        ? parsePath(path)
        : { fault: 'A path must be a string, for example "customer.iban".' };
    if ('fault' in parsed) addFault(faults, below(pointer, index), parsed.fault);
    else if (parsed.segments.some(isAnyDepth)) addFault(faults, below(pointer, index), 'To mask everything, write "*".');
  }
};

const validateMask = (faults: Fault[], pointer: string, value: unknown): void => {
  if (!checkMembers(faults, pointer, value, '"mask"', ['parameters', 'result'])) return;
  for (const name of ['parameters', 'result']) {
    if (value[name] !== undefined) validatePaths(faults, below(pointer, name), value[name]);
  }
  if (value.parameters === undefined && value.result === undefined) {
    addFault(faults, pointer, '"mask" requires "parameters", "result" or both.');
  }
};

const validators: Readonly<Record<DemandName, (faults: Fault[], pointer: string, value: unknown) => void>> = {
  approval: validateApproval,
  limit: validateLimit,
  mask: validateMask,
};

/** Notes every fault of the member in which a rule states the demands of its effect. */
export const validateDemand = (faults: Fault[], pointer: string, rule: JsonObject, name: DemandName): void =>
  validators[name](faults, below(pointer, name), rule[name]);
