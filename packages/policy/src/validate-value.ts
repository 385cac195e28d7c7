import { POLICY_LIMITS } from '@svc/contract/policy-language.ts';
import { addFault, below, type Fault } from './faults.ts';
import { FIELD_TYPES } from './field-types.ts';
import type { FieldRow } from './fields.ts';
import type { OperatorRow } from './operators.ts';

const integerFault = (row: FieldRow, value: unknown): boolean =>
  !Number.isSafeInteger(value) || (value as number) < (row.min ?? -Infinity) || (value as number) > (row.max ?? Infinity);

const fits = (row: FieldRow, value: unknown): boolean => {
  if (typeof value === 'string' && value.length > POLICY_LIMITS.value_length_max) return false;
  if (row.type === 'enum') return row.values?.includes(value as string) ?? false;
  if (row.type === 'integer') return !integerFault(row, value);
  if (row.type === 'boolean') return typeof value === 'boolean';
  if (row.type === 'json') return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  return typeof value === 'string' && (row.pattern === undefined || new RegExp(row.pattern).test(value));
};

const phrase = (row: FieldRow): string => {
  if (row.values !== undefined) return `one of ${row.values.join(', ')}`;
  if (row.type === 'integer') {
    const bounds = `from ${row.min ?? Number.MIN_SAFE_INTEGER}${row.max === undefined ? '' : ` to ${row.max}`}`;
    return `a whole number ${bounds}${row.unit === undefined ? '' : ` (${row.unit})`}`;
  }
  return row.spelling ?? FIELD_TYPES[row.type].phrase;
};

/** Null when the value is one a request can hold in this field, else the sentence that says what it takes. */
export const scalarFault = (row: FieldRow, value: unknown): string | null => {
  if (fits(row, value)) return null;
  if (value === null) return `${row.name} takes ${phrase(row)}, not null; to ask for an absent field use the operator not_exists.`;
  if (typeof value === 'string' && value.length > POLICY_LIMITS.value_length_max)
    return `A text has at most ${POLICY_LIMITS.value_length_max} characters.`;
  return `${row.name} takes ${phrase(row)}, for example ${JSON.stringify(row.example)}.`;
};

const listFaults = (faults: Fault[], pointer: string, row: FieldRow, value: unknown): void => {
  if (!Array.isArray(value)) addFault(faults, pointer, `This operator takes a list, for example ${JSON.stringify([row.example])}.`);
  else if (value.length === 0) addFault(faults, pointer, 'The list must hold at least one value.');
  else if (value.length > POLICY_LIMITS.values_max) addFault(faults, pointer, `The list holds at most ${POLICY_LIMITS.values_max} values.`);
  else {
    for (const [index, element] of value.entries()) {
      const fault = scalarFault(row, element);
      if (fault !== null) addFault(faults, below(pointer, index), fault);
    }
  }
};

const textFault = (value: unknown): string | null => {
  if (typeof value !== 'string' || value === '') return 'This operator takes a text that is not empty.';
  return value.length > POLICY_LIMITS.value_length_max ? `A text has at most ${POLICY_LIMITS.value_length_max} characters.` : null;
};

const singleFault = (row: FieldRow, operator: OperatorRow, value: unknown): string | null => {
  if (operator.value === 'scalar') return scalarFault(row, value);
  if (operator.value === 'text') return textFault(value);
  if (operator.value === 'part') return row.type === 'json' && value !== '' ? scalarFault(row, value) : textFault(value);
  if (row.type === 'json') return Number.isFinite(value) ? null : `${row.name} is compared with a number here, for example 100.`;
  return scalarFault(row, value);
};

/** Notes what is wrong with a condition's value, given its field and operator. `value` is undefined when the condition has none. */
export const validateValue = (faults: Fault[], pointer: string, row: FieldRow, operator: OperatorRow, value: unknown): void => {
  if (operator.value === 'none') {
    if (value !== undefined) addFault(faults, below(pointer, 'value'), 'This operator takes no value; leave the member out.');
    return;
  }
  if (value === undefined) {
    const example = operator.value === 'list' ? [row.example] : row.example;
    addFault(faults, pointer, `This operator needs the member "value", for example ${JSON.stringify(example)}.`);
    return;
  }
  if (operator.value === 'list') {
    listFaults(faults, below(pointer, 'value'), row, value);
    return;
  }
  const fault = singleFault(row, operator, value);
  if (fault !== null) addFault(faults, below(pointer, 'value'), fault);
};
