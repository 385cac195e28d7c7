import type { PolicyContext } from '../evaluation/policy-context.ts';
import { FIELD_TYPES } from '../language/field-types.ts';
import type { PolicyField } from '../language/find-field.ts';
import { readMember, readPath } from '../values/read-path.ts';

/** Returns the value of a field without `*` in a context, in canonical form; undefined or null if there is none. */
export const compileRead = (field: PolicyField): ((context: PolicyContext) => unknown) => {
  const { read } = field.row;
  const { canonical } = FIELD_TYPES[field.row.type];
  const [first, ...rest] = field.segments;
  if (first !== undefined) {
    if (rest.length === 0) return (context) => readMember(read(context), first);
    return (context) => readPath(read(context), field.segments);
  }
  if (canonical === undefined) return read;
  return (context) => {
    const value = read(context);
    return typeof value === 'string' ? canonical(value) : value;
  };
};
