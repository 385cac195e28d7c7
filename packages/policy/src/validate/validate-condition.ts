import { OPERATORS } from '@svc/contract/policies/language.ts';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { findField, type PolicyField, withinElement } from '../language/find-field.ts';
import { findMeantGroup, findMeantOperator } from '../language/foreign-words.ts';
import { findLabelFault } from '../language/never-held.ts';
import { findOperator, type OperatorRow } from '../language/operators.ts';
import { validateValue } from '../language/validate-value.ts';
import { checkMembers, isJsonObject } from '../values/check-members.ts';
import { addFault, below, type Fault } from '../values/faults.ts';
import { compilePattern, patternWork } from '../values/linear-pattern.ts';
import { findNearestName } from '../values/nearest-name.ts';
import { isAnyDepth } from '../values/path.ts';

/** The totals of a walk over a whole version. */
export type ConditionTally = {
  readonly faults: Fault[];
  conditions: number;
  starConditions: number;
  patternSteps: number;
  patternWork: number;
};

export const newTally = (faults: Fault[]): ConditionTally => ({
  faults,
  conditions: 0,
  starConditions: 0,
  patternSteps: 0,
  patternWork: 0,
});

const GROUPS = ['all', 'any', 'not', 'any_element'];

/** The position of a condition: the number of enclosing groups, and the list whose element it reads. */
export type ConditionPlace = { readonly depth: number; readonly of: PolicyField | null };
const OUTSIDE: ConditionPlace = { depth: 0, of: null };

const readField = (faults: Fault[], pointer: string, name: unknown): PolicyField | null => {
  if (typeof name !== 'string') {
    if (name !== undefined) addFault(faults, below(pointer, 'field'), 'Field must be a string, for example "tool.name".');
    return null;
  }
  const field = findField(name);
  const fault = 'fault' in field ? field.fault : findLabelFault(field);
  if (fault !== null) addFault(faults, below(pointer, 'field'), fault);
  return 'fault' in field || fault !== null ? null : field;
};

const readOperator = (faults: Fault[], pointer: string, name: unknown, field: PolicyField | null): OperatorRow | null => {
  if (name === undefined) return null;
  const operator = typeof name === 'string' ? findOperator(name) : undefined;
  if (operator === undefined) {
    const near = typeof name === 'string' ? (findMeantOperator(name) ?? findNearestName(name, OPERATORS)) : null;
    addFault(
      faults,
      below(pointer, 'op'),
      near === null ? `Operator must be one of ${OPERATORS.join(', ')}.` : `There is no such operator. Did you mean "${near}"?`,
    );
    return null;
  }
  if (field === null || operator.fits.includes(field.row.type)) return operator;
  const fitting = OPERATORS.filter((candidate) => findOperator(candidate)?.fits.includes(field.row.type));
  addFault(faults, below(pointer, 'op'), `"${name}" is not valid for ${field.row.name}; must be one of ${fitting.join(', ')}.`);
  return null;
};

/** Returns true if the field is one of the element, or the element itself. */
const isOfElement = (field: PolicyField, of: PolicyField): boolean => field.name === of.name || field.name.startsWith(`${of.name}.`);

const validateQuantifier = (faults: Fault[], pointer: string, field: PolicyField, operator: OperatorRow, quantifier: unknown): void => {
  const at = below(pointer, 'quantifier');
  if (!field.wildcard) {
    if (quantifier !== undefined) addFault(faults, at, 'A quantifier is allowed only for paths with "*"; remove it.');
  } else if (quantifier === undefined) {
    if (operator.negative) {
      addFault(faults, at, 'For paths with "*", set "quantifier": "any" (at least one element differs) or "all" (every element differs).');
    }
  } else if (quantifier !== 'any' && quantifier !== 'all') {
    addFault(faults, at, 'Quantifier must be "any" (one element is enough) or "all" (every element must match).');
  }
};

/**
 * Returns true if the patterns up to this one may be compiled, by the cost of their texts. Beyond, none is: a version may not spend more on
 * them.
 */
const mayPrepare = (tally: ConditionTally, pointer: string, field: PolicyField, pattern: unknown): boolean => {
  if (typeof pattern !== 'string') return true;
  const { pattern_length_max, pattern_work_max, pattern_works_max } = POLICY_LIMITS;
  const work = pattern.length > pattern_length_max ? 0 : patternWork(pattern, field.row.type === 'host' ? 're2-any-case' : 're2');
  if (work > pattern_work_max) return true; // rejected by itself, before it is compiled
  const isWithin = tally.patternWork <= pattern_works_max;
  tally.patternWork += work;
  if (tally.patternWork <= pattern_works_max) return true;
  const most = `Compiling the patterns of a version must take at most ${pattern_works_max} units of work in total; with this one they take ${tally.patternWork}`;
  if (isWithin) addFault(tally.faults, below(pointer, 'value'), `${most}. Use simpler patterns, or split it into two policies.`);
  return false;
};

const getSteps = (field: PolicyField, pattern: unknown): number => {
  const compiled = typeof pattern === 'string' ? compilePattern(pattern, field.row.type === 'host') : null;
  return compiled === null || 'fault' in compiled ? 0 : compiled.size;
};

const validateFieldCondition = (tally: ConditionTally, pointer: string, condition: JsonObject, { of }: ConditionPlace): void => {
  const { faults } = tally;
  tally.conditions += 1;
  checkMembers(faults, pointer, condition, 'A condition', ['field', 'op', 'value', 'quantifier'], ['field', 'op']);
  const field = readField(faults, pointer, condition.field);
  if (field?.wildcard === true) tally.starConditions += 1;
  if (field !== null && of !== null && !isOfElement(field, of)) {
    addFault(
      faults,
      below(pointer, 'field'),
      `Fields in this group must be the element "${of.name}" or a member of it, such as "${of.name}.sku".`,
    );
    return;
  }
  const operator = readOperator(faults, pointer, condition.op, field);
  if (field === null || operator === null) return;
  const isPattern = operator.value === 'pattern';
  const isPrepared = !isPattern || mayPrepare(tally, pointer, field, condition.value);
  if (isPrepared) validateValue(faults, pointer, field.row, operator, condition.value);
  validateQuantifier(faults, pointer, of === null ? field : withinElement(field, of), operator, condition.quantifier);
  if (isPattern && isPrepared) tally.patternSteps += getSteps(field, condition.value);
};

const readList = (faults: Fault[], pointer: string, name: unknown): PolicyField | null => {
  if (typeof name !== 'string') return null;
  const field = findField(name);
  if (!('fault' in field) && field.row.family === 'path' && field.segments.at(-1)?.each === true && !field.segments.some(isAnyDepth))
    return field;
  const example = 'write the path of a list in the parameters with "*" for its elements, for example "parameters.items.*".';
  addFault(faults, pointer, 'fault' in field ? `${field.fault} Here ${example}` : `Here ${example}`);
  return null;
};

const validateElement = (tally: ConditionTally, pointer: string, element: unknown, { depth, of }: ConditionPlace): void => {
  const { faults } = tally;
  if (of !== null) {
    addFault(faults, pointer, 'A group about one element must not contain another such group; put them side by side.');
    return;
  }
  if (!checkMembers(faults, pointer, element, 'A group "any_element"', ['of', 'meets'], ['of', 'meets'])) return;
  if (element.of !== undefined && typeof element.of !== 'string')
    addFault(faults, below(pointer, 'of'), 'The path of a list must be a string.');
  const list = readList(faults, below(pointer, 'of'), element.of);
  if (list !== null && element.meets !== undefined)
    validateCondition(tally, below(pointer, 'meets'), element.meets, { depth: depth + 1, of: list });
};

const validateGroup = (tally: ConditionTally, pointer: string, condition: JsonObject, group: string, place: ConditionPlace): void => {
  const { faults } = tally;
  checkMembers(faults, pointer, condition, `A group "${group}"`, [group]);
  if (place.depth >= POLICY_LIMITS.depth_max) {
    addFault(faults, pointer, `Groups must be nested at most ${POLICY_LIMITS.depth_max} levels deep; split the rule in two.`);
    return;
  }
  const at = below(pointer, group);
  const inner = { ...place, depth: place.depth + 1 };
  const parts = condition[group];
  if (group === 'not') validateCondition(tally, at, parts, inner);
  else if (group === 'any_element') validateElement(tally, at, parts, place);
  else if (!Array.isArray(parts) || parts.length === 0) {
    addFault(faults, at, `"${group}" must be a list of at least one condition; to match every request, omit "when".`);
  } else {
    for (const [index, part] of parts.entries()) validateCondition(tally, below(at, index), part, inner);
  }
};

/** Notes every fault of a condition and of nested ones. */
export const validateCondition = (tally: ConditionTally, pointer: string, condition: unknown, place: ConditionPlace = OUTSIDE): void => {
  if (!isJsonObject(condition)) {
    addFault(
      tally.faults,
      pointer,
      'A condition must be an object: {"field", "op", "value"}, or a group "all", "any", "not" or "any_element".',
    );
    return;
  }
  const group = GROUPS.find((name) => Object.hasOwn(condition, name));
  const [word] = group === undefined && !Object.hasOwn(condition, 'field') ? Object.keys(condition) : [];
  const meant = word === undefined ? null : findMeantGroup(word);
  if (word !== undefined && meant !== null)
    addFault(tally.faults, below(pointer, word), `There is no group "${word}". Did you mean "${meant}"?`);
  else if (group === undefined) validateFieldCondition(tally, pointer, condition, place);
  else validateGroup(tally, pointer, condition, group, place);
};
