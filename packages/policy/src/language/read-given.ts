import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import { isJsonObject } from '../values/check-members.ts';
import { addFault, below, type Fault } from '../values/faults.ts';
import { FIELD_TYPES } from './field-types.ts';
import { FIELDS } from './fields.ts';
import { findField, type PolicyField } from './find-field.ts';
import { hostSpelling } from './host-value.ts';
import { findScalarFault } from './validate-value.ts';

type Draft = Record<string, unknown>;
type Given = { readonly name: string; readonly pointer: string; readonly value: unknown };

/** Names of the objects that contain fields: "tool", "agent", "agent.labels" and so on, but not "parameters". */
const parts = new Set(
  FIELDS.filter((row) => row.family !== 'path').flatMap((row) =>
    row.name
      .split('.')
      .slice(0, -1)
      .map((_, index, steps) => steps.slice(0, index + 1).join('.')),
  ),
);

const flatten = (given: JsonObject, prefix: string, pointer: string): Given[] =>
  Object.entries(given).flatMap(([key, value]) => {
    const name = `${prefix}${key}`;
    const at = below(pointer, key);
    return parts.has(name) && isJsonObject(value) ? flatten(value, `${name}.`, at) : [{ name, pointer: at, value }];
  });

/** Returns the fields that a test gives, by name, with the pointer and the value of each. */
export const listGivenFields = (given: JsonObject, pointer: string): readonly Given[] => flatten(given, '', pointer);

/** Sets an own member, also one named like a member of Object.prototype; returns false if it is already present. */
const putOnce = (target: Draft, key: string, value: unknown): boolean => {
  if (Object.hasOwn(target, key)) return false;
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  return true;
};

const putPath = (root: Draft, keys: readonly string[], value: unknown): boolean => {
  let target = root;
  for (const key of keys.slice(0, -1)) {
    putOnce(target, key, {});
    const next = target[key];
    if (!isJsonObject(next)) return false;
    target = next as Draft;
  }
  return putOnce(target, keys.at(-1) ?? '', value);
};

const valueFault = (field: PolicyField, value: unknown): string | null => {
  if (field.row.type === 'json') return null;
  if (field.row.type !== 'string_list') return findScalarFault(field.row, value);
  return FIELD_TYPES.string_list.holds(value)
    ? null
    : `${field.row.name} must be a list of strings, for example ${JSON.stringify([field.row.example])}.`;
};

const getPlace = (field: PolicyField): string[] => {
  const keys = field.segments.map((segment) => segment.key);
  return field.row.family === undefined ? field.name.split('.') : [...field.row.name.split('.').slice(0, -1), ...keys];
};

const LISTS_WHOLE = 'Give lists as a whole, for example "parameters": {"items": [{"sku": "A1"}]}.';
const ONE_WAY = 'Give the parameters either as one object or by dotted names, not both.';

const parametersFault = (draft: Draft, value: unknown): string | null => {
  if (!isJsonObject(value)) return 'parameters must be an object, for example {"customer": {"iban": "DE89"}}.';
  return putOnce(draft, 'parameters', value) ? null : ONE_WAY;
};

/** Puts one given value into the context, or returns why it is not allowed. */
const put = (draft: Draft, { name, value }: Given): string | null => {
  if (name === 'parameters') return parametersFault(draft, value);
  const field = findField(name);
  if ('fault' in field) return parts.has(name) ? `${name} must be an object of its fields.` : field.fault;
  if (field.wildcard || (field.row.family === 'path' && field.segments.some((segment) => segment.index >= 0))) return LISTS_WHOLE;
  const spelled = field.row.type === 'host' && typeof value === 'string' ? (hostSpelling(value) ?? value) : value;
  return valueFault(field, value) ?? (putPath(draft, getPlace(field), spelled) ? null : `${name} is given twice.`);
};

/**
 * Reads the known values of a test, nested ({"tool": {"name": "x"}}), with dotted names ({"tool.name": "x"}), or both.
 * Every value is checked against its field; pointers start at `pointer`, the position of `given`.
 */
export const readGiven = (
  given: Readonly<Record<string, unknown>>,
  pointer = '',
): { readonly ok: true; readonly context: PolicyContext } | { readonly ok: false; readonly faults: Fault[] } => {
  const faults: Fault[] = [];
  const draft: Draft = {};
  const all = flatten(given, '', pointer);
  const isWhole = all.some((one) => one.name === 'parameters');
  for (const one of all) {
    const fault = isWhole && one.name.startsWith('parameters.') ? ONE_WAY : put(draft, one);
    if (fault !== null) addFault(faults, one.pointer, fault);
  }
  return faults.length === 0 ? { ok: true, context: draft as PolicyContext } : { ok: false, faults };
};
