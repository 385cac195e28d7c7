import { NEW_PASSWORD_SCHEMA_ID } from '@svc/contract/people/auth.ts';
import { escapePointerToken, type Fault } from '@svc/contract/rows/fault.ts';
import { NAME_PATTERN, VISIBLE_TEXT_PATTERN } from '@svc/contract/rows/schema.ts';
import { PRINTABLE, SECRET_FORMAT, SENT_WHOLE } from '@svc/contract/rows/secret.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { PASSWORD_LENGTH_RULE } from '@svc/contract/tables/password-rule.ts';
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { selectFaults } from './worth-telling.ts';

export type { Fault };

/** Maximum length of a text that is matched against a pattern. */
const PATTERN_CHARS_MAX = 2_000;
/** Expressions that take linear time; the schema bounds the length. */
const LINEAR: ReadonlySet<string> = new Set([SENT_WHOLE, PRINTABLE, '\\S']);

/** A text that exceeds its maximum length is already invalid, and is not matched against an expression that may take quadratic time. */
const boundedPattern = Object.assign(
  (source: string, flags: string) => {
    const pattern = new RegExp(source, flags);
    const isFit = (text: string) => LINEAR.has(source) || text.length <= PATTERN_CHARS_MAX;
    return { test: (text: string) => isFit(text) && pattern.test(text), toString: () => `bounded ${pattern}` };
  },
  { code: 'boundedPattern' },
);

/** Maximum of collected faults, from which the relevant ones are chosen; then validation ends. */
const COLLECTED_MAX = 5 * LIMITS.bodies.faultsMax;

/** The generated code throws its faults when there are enough, since the library itself stops at the first one or at none. */
const endEarly = (code: string): string =>
  code.replaceAll(/vErrors\.push\((err\d+)\);/g, `vErrors.push($1);if(vErrors.length>=${COLLECTED_MAX})throw vErrors;`);

const OPTIONS = {
  strict: false,
  // The schemas are the contract's own, and a test validates them against the standard's: compiling that one took a sixth of a plane's
  // start.
  meta: false,
  validateSchema: false,
  useDefaults: true,
  ownProperties: true,
  // So that a fault can show an example of its schema.
  verbose: true,
  // Formats that only concern display.
  formats: { [SECRET_FORMAT]: true },
  code: { regExp: boundedPattern },
} as const;

/** One stops at the first fault and returns whether there is any; the other runs only then, and returns all. */
const validators = (options: Options) => ({
  first: new Ajv2020({ ...OPTIONS, ...options }),
  all: new Ajv2020({ ...OPTIONS, ...options, allErrors: true, code: { ...OPTIONS.code, process: endEarly } }),
});

/** JSON values are not coerced; query strings are text, so their values are. */
const ofBodies = validators({});
const ofQueries = validators({ coerceTypes: true });

/** Expressions that have a sentence of their own. */
const SAID_PATTERNS: Readonly<Record<string, string>> = {
  '\\S': 'Must not be blank.',
  [NAME_PATTERN]: 'Must be one line that is not blank, without control characters or other invisible characters.',
  [VISIBLE_TEXT_PATTERN]: 'Must not contain invisible characters or characters that change the direction of text.',
  [PRINTABLE]: 'Must be printable ASCII characters.',
  [SENT_WHOLE]: 'Must be visible ASCII characters, without leading or trailing spaces and line ends.',
};

const matching = (pattern: string, example: unknown): string =>
  example === undefined ? `match ${pattern}.` : `match ${pattern}, as ${JSON.stringify(example)} does.`;

const getExample = (schema: ErrorObject['parentSchema']): unknown => (Array.isArray(schema?.examples) ? schema.examples[0] : undefined);

/** Longer expressions are in the documents for programs, and of no use to people. */
const TOLD_PATTERN_CHARS_MAX = 60;

/** Returns the sentence for a pattern, with an example if there is one. */
const patternSentence = ({ params: { pattern }, parentSchema }: ErrorObject): string => {
  const example = getExample(parentSchema);
  if (SAID_PATTERNS[pattern] !== undefined) return SAID_PATTERNS[pattern];
  return pattern.length > TOLD_PATTERN_CHARS_MAX && example !== undefined
    ? `Must be in the form ${JSON.stringify(example)}.`
    : `Must ${matching(pattern, example)}`;
};

/** Returns the sentence for an unknown member, or an invalid name of a free member. */
const unknownSentence = ({ parentSchema }: ErrorObject): string => {
  const [pattern] = Object.keys(parentSchema?.patternProperties ?? {});
  if (pattern === undefined) return 'Unknown member. Check its spelling, or remove it.';
  return `The name of this member must ${matching(pattern, Object.keys(getExample(parentSchema) ?? {})[0])}`;
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

const typeName = (type: unknown): string => TYPE_NAMES[String(type)] ?? String(type);

const SENTENCES: Readonly<Record<string, (error: ErrorObject) => string>> = {
  additionalProperties: unknownSentence,
  required: () => 'This member is required.',
  type: (e) => `Must be ${[e.params.type].flat().map(typeName).join(' or ')}.`,
  enum: (e) => `Must be one of ${(e.params.allowedValues as unknown[]).join(', ')}.`,
  const: (e) => `Must be ${JSON.stringify(e.params.allowedValue)}.`,
  minLength: (e) =>
    e.parentSchema?.description === NEW_PASSWORD_SCHEMA_ID
      ? PASSWORD_LENGTH_RULE
      : `Must have at least ${counted(e.params.limit, 'character')}.`,
  maxLength: (e) => `Must have at most ${counted(e.params.limit, 'character')}.`,
  minimum: (e) => `Must be at least ${e.params.limit}.`,
  maximum: (e) => `Must be at most ${e.params.limit}.`,
  minItems: (e) => `Must have at least ${counted(e.params.limit, 'item')}.`,
  maxItems: (e) => `Must have at most ${counted(e.params.limit, 'item')}.`,
  maxProperties: (e) => `Must have at most ${counted(e.params.limit, 'member')}.`,
  uniqueItems: () => 'Items must differ from each other.',
  pattern: patternSentence,
};

const getFault = (error: ErrorObject): Fault => {
  const member = error.params.missingProperty ?? error.params.additionalProperty;
  return {
    pointer: `${error.instancePath}${typeof member === 'string' ? `/${escapePointerToken(member)}` : ''}`,
    message: SENTENCES[error.keyword]?.(error) ?? `${error.message ?? 'Is not valid'}.`,
  };
};

export type BodyCheck = (value: unknown) => readonly Fault[];

const listErrors = (validate: ValidateFunction, value: unknown): readonly ErrorObject[] => {
  try {
    return validate(value) ? [] : (validate.errors ?? []);
  } catch (thrown) {
    if (Array.isArray(thrown)) return thrown;
    throw thrown;
  }
};

/** `now`: before the first value arrives, for rows whose first response must not wait. */
type Compiled = 'now' | 'when_asked';

const checkWith = ({ first, all }: ReturnType<typeof validators>, schema: TSchema, compiled: Compiled): BodyCheck => {
  let isValid = compiled === 'now' ? first.compile(schema) : undefined;
  return (value) => {
    isValid ??= first.compile(schema);
    if (isValid(value)) return [];
    // The library caches the compiled schema.
    const errors = listErrors(all.compile(schema), value);
    return selectFaults(errors).slice(0, LIMITS.bodies.faultsMax).map(getFault);
  };
};

/**
 * Creates a validator. Compiled once per row, by default with its first value, and the part that lists faults with the first invalid one:
 * compiling all rows at the start was half of a control plane's startup time. A check returns faults with RFC 6901 pointers into the body,
 * and ends when there are enough.
 */
export const createValidator = (schema: TSchema, compiled: Compiled = 'when_asked'): BodyCheck => checkWith(ofBodies, schema, compiled);
/** Like `createValidator` for query parameters, whose numbers and booleans arrive as text; `value` is coerced in place. */
export const queryCheck = (schema: TSchema, compiled: Compiled = 'when_asked'): BodyCheck => checkWith(ofQueries, schema, compiled);

/** Deeper nesting has no use and could exhaust the stack of code that walks the value. */
const DEPTH_MAX = 40;

/** Returns true beyond the maximum depth; stops there, so that the check itself cannot be exhausted. */
export const isTooDeep = (value: unknown, depthLeft: number = DEPTH_MAX): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (depthLeft === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isTooDeep(item, depthLeft - 1));
  for (const name in value) if (isTooDeep((value as Record<string, unknown>)[name], depthLeft - 1)) return true;
  return false;
};
