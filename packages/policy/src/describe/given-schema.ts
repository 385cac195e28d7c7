import type { FieldRow } from '../language/field-row.ts';
import { FIELDS } from '../language/fields.ts';
import { buildScalarSchema, type Schema } from './value-schema.ts';

const given = (row: FieldRow): Schema => {
  const value =
    row.type === 'json'
      ? {}
      : row.type === 'string_list'
        ? { type: 'array', items: { type: 'string' } }
        : (buildScalarSchema(row) as object);
  return { ...value, description: row.sentence, examples: [row.type === 'string_list' ? [row.example] : row.example] };
};

const rest = (name: string, prefix: string): string => name.slice(prefix.length);

const plainUnder = (prefix: string) => FIELDS.filter((row) => row.family === undefined && row.name.startsWith(prefix));
const familiesUnder = (prefix: string) => FIELDS.filter((row) => row.family !== undefined && row.name.startsWith(prefix));

/** Returns the names of the objects that contain fields, below a prefix. */
const partsUnder = (prefix: string): string[] => {
  const names = FIELDS.flatMap((row) => {
    const steps = row.name.split('.').slice(0, -1);
    return steps.map((_, index) => steps.slice(0, index + 1).join('.'));
  });
  return [...new Set(names)].filter((name) => name.startsWith(prefix) && name !== 'parameters');
};

const POSITION = '(0|[1-9][0-9]{0,8})(\\.|$)';
const GIVEN_KEY = `(?!${POSITION})([^.~*]|~[012])+`;
/** Pattern of the text after the name of a path family: keys alone, since lists are given whole. */
export const GIVEN_PATH_PATTERN = `^${GIVEN_KEY}(\\.${GIVEN_KEY})*$`;

const namePattern = (row: FieldRow, prefix: string): string => {
  if (row.family === 'path') return `^${row.name.slice(0, -1).replaceAll('.', '\\.')}${GIVEN_PATH_PATTERN.slice(1)}`;
  return `^${rest(row.name.slice(0, -1), prefix).replaceAll('.', '\\.')}[\\s\\S]`;
};

const under = (prefix: string): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties: {
    ...Object.fromEntries(plainUnder(prefix).map((row) => [rest(row.name, prefix), given(row)])),
    ...Object.fromEntries(partsUnder(prefix).map((part) => [rest(part, prefix), under(`${part}.`)])),
    ...(prefix === '' ? { parameters: { type: 'object', description: 'All parameters of the request.' } } : {}),
  },
  patternProperties: Object.fromEntries(familiesUnder(prefix).map((row) => [namePattern(row, prefix), given(row)])),
});

/** Returns the schema of the known values of a test: fields by dotted names, nested, or both. */
export const buildGivenSchema = (): Schema => under('');
