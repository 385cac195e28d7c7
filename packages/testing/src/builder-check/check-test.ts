import { type Any, checkMembers, findField, getFamilyMember, isFieldValue, isObject, isText, type SchemaReading } from './reading.ts';

/** Returns the names of the objects that fields are members of. */
const listParts = ({ schema }: SchemaReading): ReadonlySet<string> =>
  new Set(
    schema.fields
      .filter((field: Any) => !schema.given.whole.includes(field.name.split('.')[0]))
      .flatMap(({ name }: Any) =>
        name
          .split('.')
          .slice(0, -1)
          .map((_: string, index: number, steps: string[]) => steps.slice(0, index + 1).join('.')),
      ),
  );

const isGiven = (reading: SchemaReading, name: string, value: unknown): boolean => {
  const { given } = reading.schema;
  if (given.whole.includes(name)) return isObject(value);
  const field = findField(reading, name);
  if (field === undefined) return false;
  return field.family === 'path' ? new RegExp(given.path_pattern).test(getFamilyMember(field, name)) : isFieldValue(reading, field, value);
};

/** True if it is given once, and the parameters either whole or by names. */
const isGivenOnce = ({ schema }: SchemaReading, name: string, seen: readonly string[]): boolean => {
  const [first = ''] = name.split('.');
  if (seen.includes(name)) return false;
  if (!schema.given.whole.includes(first)) return true;
  return name === first ? !seen.some((one) => one.startsWith(`${first}.`)) : !seen.includes(first);
};

const checkGiven = (
  reading: SchemaReading,
  given: unknown,
  at: string,
  parts: ReadonlySet<string>,
  prefix = '',
  seen: string[] = [],
): void => {
  if (!isObject(given)) {
    reading.faults.push(at);
    return;
  }
  for (const [key, value] of Object.entries(given)) {
    const name = `${prefix}${key}`;
    if (parts.has(name) && isObject(value)) checkGiven(reading, value, at, parts, `${name}.`, seen);
    else {
      if (!isGiven(reading, name, value) || !isGivenOnce(reading, name, seen)) reading.faults.push(`${at}/${key}`);
      seen.push(name);
    }
  }
};

/** Records the faults of a test; `names` are those of the tests before it, `ids` those of the rules. */
export const checkTest = (reading: SchemaReading, test: unknown, at: string, names: unknown[], ids: readonly unknown[]): void => {
  const { faults, schema, effects } = reading;
  const { test: known, expectation } = schema.structure;
  if (!checkMembers(reading, test, known, at)) return;
  const { name, given, then } = test as Any;
  if (!isText(name, known.name) || names.includes(name)) faults.push(`${at}/name`);
  names.push(name);
  checkGiven(reading, given, `${at}/given`, listParts(reading));
  if (!checkMembers(reading, then, expectation, `${at}/then`)) return;
  const { effect, rule, matches } = then as Any;
  if (!effects.has(effect)) faults.push(`${at}/then/effect`);
  const isRule = rule === null ? effect === expectation.rule.nullable_with_effect : rule === undefined || ids.includes(rule);
  if (!isRule) faults.push(`${at}/then/rule`);
  const { min } = expectation.matches;
  const isKnown = Array.isArray(matches) && matches.length >= min && matches.every((id: unknown) => ids.includes(id));
  if (matches !== undefined && !isKnown) faults.push(`${at}/then/matches`);
};
