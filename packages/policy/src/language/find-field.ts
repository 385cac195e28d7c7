import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { findNearestName } from '../values/nearest-name.ts';
import { type PathSegment, parsePath } from '../values/path.ts';
import { truncateText } from '../values/truncate-text.ts';
import type { FieldRow } from './field-row.ts';
import { FIELDS } from './fields.ts';

/** A field as a rule names it. `segments` lead from the family's object to the value; they are empty for a plain field. */
export type PolicyField = {
  readonly name: string;
  readonly row: FieldRow;
  readonly segments: readonly PathSegment[];
  readonly wildcard: boolean;
};

const plain = new Map(FIELDS.filter((row) => row.family === undefined).map((row) => [row.name, row]));
const families = FIELDS.filter((row) => row.family !== undefined).map((row) => ({ row, prefix: row.name.slice(0, -1) }));
const names = FIELDS.map((row) => row.name);

/** Returns the same field relative to one element that a path leads to; the element replaces the context. */
export const withinElement = (field: PolicyField, of: PolicyField): PolicyField => {
  const segments = field.segments.slice(of.segments.length);
  const row: FieldRow = { ...field.row, read: (element) => element };
  return { name: field.name, row, segments, wildcard: segments.some((segment) => segment.each) };
};

const unknownField = (name: string): { fault: string } => {
  const near = findNearestName(name, names);
  return {
    fault: `There is no field "${truncateText(name, 80)}". ${near === null ? `The fields are ${names.join(', ')}.` : `Did you mean "${near}"?`}`,
  };
};

const getMember = (name: string, row: FieldRow, rest: string): PolicyField | { fault: string } => {
  if (rest === '') return { fault: `Add a member name after "${name}", for example "${row.name.replace('*', 'name')}".` };
  if (row.family === 'key') return { name, row, segments: [{ key: rest, index: -1, each: false }], wildcard: false };
  const path = parsePath(rest);
  if ('fault' in path) return path;
  return { name, row, segments: path.segments, wildcard: path.segments.some((segment) => segment.each) };
};

/** Returns the field that a name stands for, or a sentence about the fault of the name. */
export const findField = (name: string): PolicyField | { readonly fault: string } => {
  if (name.length > POLICY_LIMITS.field_length_max)
    return { fault: `A field name must be at most ${POLICY_LIMITS.field_length_max} characters.` };
  const row = plain.get(name);
  if (row !== undefined) return { name, row, segments: [], wildcard: false };
  for (const family of families) {
    if (name.startsWith(family.prefix)) return getMember(name, family.row, name.slice(family.prefix.length));
    if (`${name}.` === family.prefix) return getMember(`${name}.`, family.row, '');
  }
  return unknownField(name);
};
