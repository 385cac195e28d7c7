import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newKeptByBytes } from '@svc/policy/values/kept-by-bytes.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Fault } from '../fault.ts';
import { inspectSchema } from './inspect-schema.ts';
import { findOutOfBounds } from './json-bounds.ts';
import { normaliseSchema } from './normalise-schema.ts';
import { isSchemaObject } from './parameters-schema-keywords.ts';
import { compileSchema, type SchemaJudge } from './schema-compiler.ts';
import { FAULTS_MAX, findSchemaFaults } from './schema-faults.ts';

const schemaBounds = { depthMax: 64, bytesMax: 32_768 };
const parametersBounds = { depthMax: 32, bytesMax: LIMITS.bodies.parametersBytesMax };

let metaSchema: Ajv2020 | undefined;

/** Checks that each keyword has a valid value, by the meta-schema of 2020-12. */
const shapeFaults = (schema: Readonly<Record<string, unknown>>): readonly Fault[] => {
  metaSchema ??= new Ajv2020({ strict: true, validateFormats: false, verbose: true, logger: false });
  const { $schema: _dialect, ...rest } = schema;
  return metaSchema.validateSchema(rest) === true ? [] : findSchemaFaults(metaSchema.errors ?? [], '');
};

const rootFaults = ({ type }: Readonly<Record<string, unknown>>): readonly Fault[] =>
  type === undefined || [type].flat().includes('object') ? [] : [{ pointer: '/type', message: 'must be object' }];

/** Judges of all tenants by the text of their schema, bounded by about what they hold: only of schemas that no fault was found in. */
const judges = newKeptByBytes<SchemaJudge>(LIMITS.tools.schemaBytesMax);
const BYTES_PER_SCHEMA = 262_144;
const BYTES_PER_CHARACTER = 16;

/** Compiler errors about a schema with well-formed but contradictory keywords. */
const disagreement = /^(?:strict mode: |can't resolve reference )/;

/** Called last, so that a consistent schema has no fault, and its judge is cached. */
const contradictions = (schema: unknown, text: string): readonly Fault[] => {
  try {
    judges.keep(text, compileSchema(schema), BYTES_PER_SCHEMA + text.length * BYTES_PER_CHARACTER);
    return [];
  } catch (error) {
    if (!(error instanceof Error && disagreement.test(error.message))) throw error;
    return [{ pointer: '', message: `contradicts itself: ${error.message.replace('strict mode: ', '')}` }];
  }
};

/**
 * Returns why a schema of draft-04 to 2020-12 cannot be used; empty if it can. Bounds keep compiling and judging fast for any
 * author: only local `$ref`, no unknown keyword. Pointers are into the schema.
 */
export const checkParametersSchema = (schema: unknown): readonly Fault[] => {
  if (!isSchemaObject(schema)) return [{ pointer: '', message: 'must be an object' }];
  const outOfBounds = findOutOfBounds(schema, schemaBounds);
  if (outOfBounds !== undefined) return [outOfBounds];
  const text = JSON.stringify(schema);
  if (judges.get(text) !== undefined) return [];
  const { schema: normalised, toGiven } = normaliseSchema(schema);
  for (const check of [shapeFaults, inspectSchema, rootFaults]) {
    const faults = check(normalised);
    if (faults.length > 0) return faults.slice(0, FAULTS_MAX).map(({ pointer, message }) => ({ pointer: toGiven(pointer), message }));
  }
  return contradictions(normalised, text);
};

/**
 * Returns the constraints of a schema without faults that nothing checks: patterns outside of RE2, unknown formats, and keywords that their
 * dialect ignores. At most 20, with pointers into the schema.
 */
export const uncheckedConstraints = (schema: Readonly<Record<string, unknown>>): readonly Fault[] =>
  normaliseSchema(schema).findings.slice(0, FAULTS_MAX);

/**
 * Compiles a schema without faults of `checkParametersSchema`; throws for any other. The judge returns at most 20 faults with pointers
 * at or below `/parameters`, none if the parameters fit. Compiling takes milliseconds, so a schema is compiled when it is checked,
 * and not again when it is loaded; still, cache the judge with the tool.
 */
export const compileParameters = (schema: unknown): ((parameters: unknown) => readonly Fault[]) => {
  const judge = judges.get(JSON.stringify(schema)) ?? compileSchema(isSchemaObject(schema) ? normaliseSchema(schema).schema : schema);
  return (parameters) => {
    const outOfBounds = findOutOfBounds(parameters, parametersBounds);
    if (outOfBounds !== undefined) return [{ ...outOfBounds, pointer: `/parameters${outOfBounds.pointer}` }];
    if (!isSchemaObject(parameters)) return [{ pointer: '/parameters', message: 'must be an object' }];
    const errors = judge(parameters);
    if (errors === 'too costly')
      return [{ pointer: '/parameters', message: 'take too much work to validate against the schema of the tool' }];
    return errors === null ? [] : findSchemaFaults(errors, '/parameters');
  };
};
