import { _, Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { deriveCanonicalKey } from './canonical-key.ts';
import { compileLinearPattern } from './linear-pattern.ts';
import { parameterFormats } from './parameter-formats.ts';
import { isSchemaKeyword, isSchemaObject, SCHEMA_KEYWORDS, subschemasUnder } from './parameters-schema-keywords.ts';
import { BudgetSpent, newWorkBudget, type WorkBudget } from './work-budget.ts';

/** Judges a value: null when it fits, `too costly` when judging it would take too long, otherwise what is wrong. */
export type SchemaJudge = (value: unknown) => null | 'too costly' | readonly ErrorObject[];

/** Measured to keep the worst pair of schema and value that the bounds admit at about ten milliseconds: it is part of a decision. */
const unitsPerValue = 40_000;
const charactersPerUnit = 16;
const nanosecondsPerUnit = 100;
const costKeyword = 'countedWork';

/** The pattern engine of the compiler, which identifies patterns by `toString`, so that must return the pattern. */
const patternEngine = ({ spend }: WorkBudget) =>
  Object.assign(
    (source: string) => {
      const pattern = compileLinearPattern(source);
      if ('fault' in pattern) throw new Error(`pattern ${pattern.fault}`);
      const test = (text: string): boolean => {
        spend(1 + Math.ceil((text.length * pattern.perCharacter) / nanosecondsPerUnit));
        return pattern.found(text);
      };
      return { test, toString: () => `linear ${source}` };
    },
    { code: 'compileLinearPattern' },
  );

/** 19.99 is a multiple of 0.01 to people, though not to binary fractions. */
const isMultiple = (step: number, value: number): boolean => {
  if (value % step === 0) return true;
  const times = value / step;
  return Number.isFinite(times) && Math.abs(times - Math.round(times)) < 1e-9;
};

/** Replaces keywords: two compare whole values in linear time with a matching cost, unlike the compiler's own quadratic ones. */
const replaceKeywords = (ajv: Ajv2020, { spend }: WorkBudget): void => {
  const getKey = (value: unknown): string => {
    const key = deriveCanonicalKey(value);
    spend(key.length / charactersPerUnit);
    return key;
  };
  ajv.removeKeyword('enum').addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    compile: (values: readonly unknown[]) => {
      const keys = new Set(values.map(deriveCanonicalKey));
      return (value: unknown) => keys.has(getKey(value));
    },
  });
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (unique: boolean, items: readonly unknown[]) => !unique || new Set(items.map(getKey)).size === items.length,
  });
  ajv.removeKeyword('multipleOf').addKeyword({ keyword: 'multipleOf', type: 'number', schemaType: 'number', validate: isMultiple });
};

/** Every subschema pays one unit when it is judged, and more the more has been found wrong, since every finding costs memory. */
const addPrice = (ajv: Ajv2020, { spend }: WorkBudget): void => {
  ajv.addKeyword({
    keyword: costKeyword,
    schemaType: 'boolean',
    code: ({ gen }) => {
      gen.code(_`${gen.scopeValue('func', { ref: spend })}(1 + (errors >> 4))`);
    },
  });
};

/** The schema as it is compiled: notes left out, each subschema at its price. */
const priced = (schema: unknown): unknown => {
  if (!isSchemaObject(schema)) return schema;
  const compiled: Record<string, unknown> = { [costKeyword]: true };
  for (const [keyword, value] of Object.entries(schema)) {
    const kind = isSchemaKeyword(keyword) ? SCHEMA_KEYWORDS[keyword] : 'note';
    const subschemas = subschemasUnder(keyword, value).map(([tokens, subschema]) => [tokens[1] ?? '', priced(subschema)] as const);
    if (kind === 'plain') compiled[keyword] = value;
    else if (kind === 'schema') compiled[keyword] = subschemas[0]?.[1];
    else if (kind === 'list') compiled[keyword] = subschemas.map(([, subschema]) => subschema);
    else if (kind === 'map') compiled[keyword] = Object.fromEntries(subschemas);
  }
  return compiled;
};

/**
 * Compiles a schema that passed its inspection. The compiler knows only this schema: no other identifiers, nothing remote, no
 * coercion, no defaults written into the value. Throws an Error whose message names the contradiction in the schema.
 */
export const compileSchema = (schema: unknown): SchemaJudge => {
  const budget = newWorkBudget(unitsPerValue);
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    allowUnionTypes: true,
    allowMatchingProperties: true,
    allErrors: true,
    verbose: true,
    ownProperties: true,
    inlineRefs: false,
    meta: false,
    validateSchema: false,
    logger: false,
    formats: parameterFormats,
    code: { optimize: false, regExp: patternEngine(budget) },
  });
  replaceKeywords(ajv, budget);
  addPrice(ajv, budget);
  const validate: ValidateFunction = ajv.compile(priced(schema) as object);
  return (value) => {
    budget.refill();
    try {
      return validate(value) ? null : (validate.errors ?? []);
    } catch (error) {
      if (error instanceof BudgetSpent) return 'too costly';
      throw error;
    }
  };
};
