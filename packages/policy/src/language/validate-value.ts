import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { addFault, below, type Fault } from '../values/faults.ts';
import { parseHours } from '../values/hours.ts';
import { compilePattern } from '../values/linear-pattern.ts';
import { parseNetwork } from '../values/network.ts';
import { isDirectory, isDomain } from '../values/text-patterns.ts';
import type { FieldRow } from './field-row.ts';
import { FIELD_TYPES } from './field-types.ts';
import { findHostFault, findHostPatternFault, findHostPieceFault } from './host-value.ts';
import { findElementFault } from './never-held.ts';
import type { OperatorRow } from './operators.ts';
import { type ConditionValueKind, chooseExample, VALUE_KINDS } from './value-kinds.ts';

const integerFault = (row: FieldRow, value: unknown): boolean =>
  !Number.isSafeInteger(value) || (value as number) < (row.min ?? -Infinity) || (value as number) > (row.max ?? Infinity);

/** Patterns of the table of fields, each compiled once: a list of a thousand values uses one as often. */
const patterns = new Map<string, RegExp>();
const getPattern = (pattern: string): RegExp => {
  const made = patterns.get(pattern) ?? new RegExp(pattern);
  patterns.set(pattern, made);
  return made;
};

const fits = (row: FieldRow, value: unknown): boolean => {
  if (typeof value === 'string' && value.length > POLICY_LIMITS.value_length_max) return false;
  if (row.values !== undefined) return row.values.includes(value as string);
  if (row.type === 'integer' || row.type === 'hour') return !integerFault(row, value);
  if (row.type === 'boolean') return typeof value === 'boolean';
  if (row.type === 'json') return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  if (typeof value !== 'string' || !(FIELD_TYPES[row.type].means?.(value) ?? true)) return false;
  return row.pattern === undefined || getPattern(row.pattern).test(value);
};

const phrase = (row: FieldRow): string => {
  if (row.values !== undefined) return `one of ${row.values.join(', ')}`;
  if (row.type === 'integer') {
    const bounds = `from ${row.min ?? Number.MIN_SAFE_INTEGER}${row.max === undefined ? '' : ` to ${row.max}`}`;
    return `a whole number ${bounds}${row.unit === undefined ? '' : ` (${row.unit})`}`;
  }
  return row.spelling ?? FIELD_TYPES[row.type].phrase;
};

/** Returns null if a request can contain the value in this field, else a sentence about what it takes. */
export const findScalarFault = (row: FieldRow, value: unknown): string | null => {
  if (row.type === 'host' && typeof value === 'string' && value.length <= POLICY_LIMITS.value_length_max)
    return findHostFault(row.name, value);
  if (fits(row, value)) return null;
  if (value === null) return `${row.name} must be ${phrase(row)}, not null; to test for a missing field, use the operator not_exists.`;
  if (typeof value === 'string' && value.length > POLICY_LIMITS.value_length_max)
    return `Text must be at most ${POLICY_LIMITS.value_length_max} characters.`;
  return `${row.name} must be ${phrase(row)}, for example ${JSON.stringify(row.example)}.`;
};

const listFaults = (faults: Fault[], pointer: string, row: FieldRow, value: unknown): void => {
  if (!Array.isArray(value)) addFault(faults, pointer, `This operator requires a list, for example ${JSON.stringify([row.example])}.`);
  else if (value.length === 0) addFault(faults, pointer, 'The list must contain at least one value.');
  else if (value.length > POLICY_LIMITS.values_max)
    addFault(faults, pointer, `The list must contain at most ${POLICY_LIMITS.values_max} values.`);
  else {
    for (const [index, element] of value.entries()) {
      const fault = findScalarFault(row, element);
      if (fault !== null) addFault(faults, below(pointer, index), fault);
    }
  }
};

const textFault = (value: unknown): string | null => {
  if (typeof value !== 'string' || value === '') return 'This operator requires non-empty text, for example "DE".';
  return value.length > POLICY_LIMITS.value_length_max ? `Text must be at most ${POLICY_LIMITS.value_length_max} characters.` : null;
};

const pieceFault =
  (kind: ConditionValueKind) =>
  (row: FieldRow, value: unknown): string | null =>
    textFault(value) ?? (row.type === 'host' ? findHostPieceFault(row.name, kind, value as string) : null);

const endingFault = (row: FieldRow, value: unknown): string | null =>
  row.type === 'host' && typeof value === 'string' && value.endsWith('.')
    ? 'Hosts are compared without a trailing dot; remove it here.'
    : pieceFault('ending')(row, value);

const partFault = (row: FieldRow, value: unknown): string | null =>
  row.type === 'json' && value !== '' ? findScalarFault(row, value) : (pieceFault('part')(row, value) ?? findElementFault(row, value));

const boundFault = (row: FieldRow, value: unknown): string | null => {
  if (row.type === 'json') return Number.isFinite(value) ? null : `${row.name} must be compared with a number here, for example 100.`;
  return findScalarFault(row, value);
};

const patternFault = (row: FieldRow, value: unknown): string | null => {
  if (typeof value !== 'string') return `This operator requires a pattern, for example ${JSON.stringify(VALUE_KINDS.pattern.example)}.`;
  const pattern = compilePattern(value, row.type === 'host');
  if ('fault' in pattern) return pattern.fault;
  return row.type === 'host' ? findHostPatternFault(row.name, value) : null;
};

const hoursFault = (row: FieldRow, value: unknown): string | null => {
  const hours = parseHours(typeof value === 'string' ? value : '');
  if ('fault' in hours) return hours.fault;
  const isWhole = hours.from % 60 === 0 && hours.to % 60 === 0;
  return row.type === 'hour' && !isWhole ? `${row.name} has whole hours only; to compare minutes, use the field time.clock.` : null;
};

const rangeFaults = (faults: Fault[], pointer: string, row: FieldRow, value: unknown): void => {
  if (!Array.isArray(value) || value.length !== 2) {
    const example = JSON.stringify(chooseExample(row, 'range'));
    addFault(faults, pointer, `This operator requires a list of two values, the lower one first, for example ${example}.`);
    return;
  }
  const found = value.map((bound) => boundFault(row, bound));
  for (const [index, fault] of found.entries()) if (fault !== null) addFault(faults, below(pointer, index), fault);
  if (found.every((fault) => fault === null) && value[0] > value[1]) {
    addFault(faults, pointer, 'No value is between these; write the lower one first.');
  }
};

const networkFault = (value: unknown): string | null => {
  const network = parseNetwork(typeof value === 'string' ? value : '');
  return 'fault' in network ? network.fault : null;
};

const networkFaults = (faults: Fault[], pointer: string, value: unknown): void => {
  const values = Array.isArray(value) ? value : [value];
  if (values.length === 0 || values.length > POLICY_LIMITS.values_max) {
    addFault(faults, pointer, `This operator requires one network or a list of 1 to ${POLICY_LIMITS.values_max}.`);
    return;
  }
  for (const [index, element] of values.entries()) {
    const fault = networkFault(element);
    if (fault !== null) addFault(faults, Array.isArray(value) ? below(pointer, index) : pointer, fault);
  }
};

const directoryFault = (_row: FieldRow, value: unknown): string | null =>
  textFault(value) ??
  (isDirectory(value as string)
    ? null
    : 'This operator requires a directory other than the root, without ".", "..", empty parts, "%" and backslashes, for example "/srv/data".');

const domainFaults = (faults: Fault[], pointer: string, value: unknown): void => {
  if (!Array.isArray(value) || value.length === 0 || value.length > POLICY_LIMITS.values_max) {
    addFault(faults, pointer, `This operator requires a list of 1 to ${POLICY_LIMITS.values_max} domains, for example ["acme.example"].`);
    return;
  }
  for (const [index, element] of value.entries()) {
    const fault = textFault(element) ?? (isDomain(element) ? null : 'Must be a domain in ASCII without "@", for example "acme.example".');
    if (fault !== null) addFault(faults, below(pointer, index), fault);
  }
};

type Check = (faults: Fault[], pointer: string, row: FieldRow, value: unknown) => void;

const single =
  (faultOf: (row: FieldRow, value: unknown) => string | null): Check =>
  (faults, pointer, row, value) => {
    const fault = faultOf(row, value);
    if (fault !== null) addFault(faults, pointer, fault);
  };

const CHECKS: Readonly<Record<Exclude<ConditionValueKind, 'none'>, Check>> = {
  scalar: single(findScalarFault),
  list: listFaults,
  bound: single(boundFault),
  range: rangeFaults,
  text: single(pieceFault('text')),
  ending: single(endingFault),
  part: single(partFault),
  pattern: single(patternFault),
  whole: single((_row, value) => textFault(value)),
  directory: single(directoryFault),
  domains: (faults, pointer, _row, value) => domainFaults(faults, pointer, value),
  networks: (faults, pointer, _row, value) => networkFaults(faults, pointer, value),
  hours: single(hoursFault),
};

/** Notes the faults of a condition's value, given its field and operator. `value` is undefined if the condition has none. */
export const validateValue = (faults: Fault[], pointer: string, row: FieldRow, operator: OperatorRow, value: unknown): void => {
  const at = below(pointer, 'value');
  if (operator.value === 'none') {
    if (value !== undefined) addFault(faults, at, 'This operator takes no value; remove the member.');
  } else if (value === undefined) {
    addFault(faults, at, `This operator requires the member "value", for example ${JSON.stringify(chooseExample(row, operator.value))}.`);
  } else CHECKS[operator.value](faults, at, row, value);
};
