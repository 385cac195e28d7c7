import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkParametersSchema, uncheckedConstraints } from '@svc/domain/tools/schema/parameters-schema.ts';
import { listOverStdio, REFERENCE_SERVERS } from '../upstream/stdio-servers.fixture.ts';
import { isDefinitionFault, readDefinition, type ToolAnnotations, type ToolDefinition } from './definition.ts';
import { buildSuggestedTerms, parametersSchema } from './input-schema.ts';

const tool = (inputSchema: Record<string, unknown>): ToolDefinition => ({ name: 'a', inputSchema });

test('makes a schema that is checked of each tool of the reference servers', async () => {
  const texts = (await Promise.all(REFERENCE_SERVERS.map(listOverStdio))).flat();
  assert.ok(texts.length >= 30);
  for (const text of texts) {
    const definition = readDefinition(text);
    assert.ok(!isDefinitionFault(definition), text);
    const made = parametersSchema(definition);
    assert.ok('schema' in made, JSON.stringify(made));
    assert.deepEqual([checkParametersSchema(made.schema), uncheckedConstraints(made.schema)], [[], []], text);
  }
});

test('reports constraints that are not checked, and schemas of which none can be made', () => {
  const lookahead = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { a: { type: 'string', pattern: '(?=x)' } },
  };
  const made = parametersSchema(tool(lookahead));
  assert.ok('schema' in made);
  assert.deepEqual(made.schema, { type: 'object', properties: { a: { type: 'string' } } });
  assert.deepEqual(
    made.unchecked.map(({ pointer }) => pointer),
    ['/properties/a/pattern'],
  );
  for (const [schema, pointer] of [
    [{ properties: { a: { $ref: 'http://169.254.169.254/' } } }, '/properties/a/$ref'],
    [{ type: 'array' }, '/type'],
    [{ anyOf: Array.from({ length: 2_000 }, () => ({ type: 'object' })) }, ''],
  ] as const) {
    const faults = parametersSchema(tool(schema));
    assert.ok('faults' in faults && faults.faults.length > 0, JSON.stringify(schema).slice(0, 80));
    if (pointer !== '') assert.equal(faults.faults[0]?.pointer, pointer);
  }
});

const annotated = (annotations?: ToolAnnotations): ToolDefinition => ({
  name: 'a',
  inputSchema: {},
  ...(annotations === undefined ? {} : { annotations }),
});

test('suggests terms no lower than annotations allow', () => {
  const rated: readonly (readonly [annotations: ToolAnnotations | undefined, rating: string, dangerous: boolean])[] = [
    [undefined, 'MEDIUM', false],
    [{}, 'MEDIUM', false],
    [{ readOnlyHint: true }, 'MEDIUM', false],
    [{ readOnlyHint: true, openWorldHint: true }, 'MEDIUM', false],
    [{ readOnlyHint: true, openWorldHint: false }, 'LOW', false],
    [{ destructiveHint: false, openWorldHint: false }, 'MEDIUM', false],
    [{ destructiveHint: true, openWorldHint: false }, 'HIGH', true],
    [{ readOnlyHint: true, destructiveHint: true, openWorldHint: false }, 'HIGH', true],
  ];
  for (const [annotations, risk_rating, dangerous] of rated)
    assert.deepEqual(buildSuggestedTerms(annotated(annotations)), { risk_rating, dangerous }, JSON.stringify(annotations));
});

test('annotations never lower what a person chose', () => {
  const harmless = annotated({ readOnlyHint: true, openWorldHint: false });
  assert.deepEqual(buildSuggestedTerms(harmless, { risk_rating: 'CRITICAL', dangerous: true }), {
    risk_rating: 'CRITICAL',
    dangerous: true,
  });
  assert.deepEqual(buildSuggestedTerms(annotated({ destructiveHint: true }), { risk_rating: 'LOW', dangerous: false }), {
    risk_rating: 'HIGH',
    dangerous: true,
  });
});
