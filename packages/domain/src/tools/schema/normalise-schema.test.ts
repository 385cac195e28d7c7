import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { normaliseSchema } from './normalise-schema.ts';
import { checkParametersSchema, compileParameters, uncheckedConstraints } from './parameters-schema.ts';

type Members = Readonly<Record<string, unknown>>;
const DRAFT_04 = 'http://json-schema.org/draft-04/schema#';
const DRAFT_06 = 'http://json-schema.org/draft-06/schema#';
const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const DRAFT_2019 = 'https://json-schema.org/draft/2019-09/schema';
const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema';
const of = (a: unknown): Members => ({ properties: { a } });

/** Cases: a given schema, the normalised one, parameters that fit and parameters that do not. */
const TRANSLATIONS: Readonly<Record<string, readonly [given: Members, normalised: Members, fits: unknown, unfit: unknown]>> = {
  'draft-04 by its name, and its id': [
    { $schema: DRAFT_04, id: 'https://a.example/x', properties: { id: { type: 'string' } } },
    { $id: 'https://a.example/x', properties: { id: { type: 'string' } } },
    { id: 'x' },
    { id: 1 },
  ],
  'draft-06 by its name': [{ $schema: DRAFT_06, ...of({ const: 1 }) }, of({ const: 1 }), { a: 1 }, { a: 2 }],
  'draft-07 by its name without #, over https': [
    { $schema: 'https://json-schema.org/draft-07/schema', ...of({ type: 'string' }) },
    of({ type: 'string' }),
    { a: 'x' },
    { a: 1 },
  ],
  '2019-09 by its name': [{ $schema: DRAFT_2019, ...of({ type: 'string' }) }, of({ type: 'string' }), { a: 'x' }, { a: 1 }],
  '2020-12 by its name': [{ $schema: DRAFT_2020, ...of({ type: 'string' }) }, of({ type: 'string' }), { a: 'x' }, { a: 1 }],
  'definitions and references to them': [
    { definitions: { b: { type: 'string' }, 'c/d': { $ref: '#/definitions/b' } }, ...of({ $ref: '#/definitions/c~1d' }) },
    { $defs: { b: { type: 'string' }, 'c/d': { $ref: '#/$defs/b' } }, ...of({ $ref: '#/$defs/c~1d' }) },
    { a: 'x' },
    { a: 1 },
  ],
  'definitions beside $defs of the same name': [
    { $defs: { b: { type: 'string' } }, definitions: { b: { type: 'null' } }, ...of({ $ref: '#/definitions/b' }) },
    { $defs: { b: { type: 'string' }, b_2: { type: 'null' } }, ...of({ $ref: '#/$defs/b_2' }) },
    { a: null },
    { a: 'x' },
  ],
  'a reference in percent-encoding': [
    { definitions: { 'b<c>': { type: 'string' } }, ...of({ $ref: '#/definitions/b%3Cc%3E' }) },
    { $defs: { 'b<c>': { type: 'string' } }, ...of({ $ref: '#/$defs/b<c>' }) },
    { a: 'x' },
    { a: 1 },
  ],
  'references by anchor, of every dialect': [
    {
      $defs: { b: { $anchor: 'one', type: 'string' }, c: { $id: '#two', type: 'string' }, d: { $dynamicAnchor: 'three', type: 'string' } },
      properties: { a: { $ref: '#one' }, b: { $ref: '#two' }, c: { $dynamicRef: '#three' } },
    },
    {
      $defs: { b: { type: 'string' }, c: { type: 'string' }, d: { type: 'string' } },
      properties: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/c' }, c: { $ref: '#/$defs/d' } },
    },
    { a: 'x', b: 'x', c: 'x' },
    { a: 'x', b: 'x', c: 1 },
  ],
  'a recursive reference of 2019-09': [
    { $schema: DRAFT_2019, $recursiveAnchor: true, properties: { a: { $recursiveRef: '#' } }, additionalProperties: false },
    { properties: { a: { $ref: '#' } }, additionalProperties: false },
    { a: { a: {} } },
    { a: { a: { b: 1 } } },
  ],
  'a flag for an exclusive bound': [
    of({ minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false }),
    of({ exclusiveMinimum: 1, maximum: 5 }),
    { a: 5 },
    { a: 1 },
  ],
  'a list of items': [
    of({ items: [{ type: 'string' }, { type: 'number' }], additionalItems: false }),
    of({ prefixItems: [{ type: 'string' }, { type: 'number' }], items: false }),
    { a: ['x', 1] },
    { a: ['x', 1, 2] },
  ],
  'a reference to an item of a list': [
    { properties: { a: { items: [{ type: 'string' }] }, b: { $ref: '#/properties/a/items/0' } } },
    { properties: { a: { prefixItems: [{ type: 'string' }] }, b: { $ref: '#/properties/a/prefixItems/0' } } },
    { b: 'x' },
    { b: 1 },
  ],
  'additionalItems without a list': [of({ items: {}, additionalItems: false }), of({ items: {} }), { a: [1] }, { a: 1, '': undefined }],
  'dependencies on names and on schemas': [
    { dependencies: { a: ['b'], c: { required: ['d'] } }, dependentRequired: { e: ['f'] }, dependentSchemas: { g: {} } },
    { dependentRequired: { a: ['b'], e: ['f'] }, dependentSchemas: { g: {}, c: { required: ['d'] } } },
    { a: 1, b: 1, c: 1, d: 1 },
    { c: 1 },
  ],
  'nullable beside a type and a list of values': [
    of({ type: 'string', enum: ['x'], nullable: true }),
    of({ type: ['string', 'null'], enum: ['x', null] }),
    { a: null },
    { a: 'y' },
  ],
  'nullable beside a reference': [
    { definitions: { b: { type: 'string' } }, ...of({ $ref: '#/definitions/b', nullable: true }) },
    { $defs: { b: { type: 'string' } }, ...of({ anyOf: [{ $ref: '#/$defs/b' }, { type: 'null' }] }) },
    { a: null },
    { a: 1 },
  ],
  'nullable: false': [of({ type: 'string', nullable: false }), of({ type: 'string' }), { a: 'x' }, { a: null }],
  'annotations of other tools': [
    of({ type: 'string', 'x-mcp-header': 'A', enumNames: ['b'], markdownDescription: 'c', example: 'd', errorMessage: 'e' }),
    of({ type: 'string' }),
    { a: 'x' },
    { a: 1 },
  ],
  'properties that are named like keywords': [
    { properties: { definitions: { type: 'string' }, nullable: { type: 'string' }, 'x-a': { type: 'string' }, $ref: { type: 'string' } } },
    { properties: { definitions: { type: 'string' }, nullable: { type: 'string' }, 'x-a': { type: 'string' }, $ref: { type: 'string' } } },
    { 'x-a': 'x' },
    { 'x-a': 1 },
  ],
};

for (const [title, [given, expected, fits, unfit]] of Object.entries(TRANSLATIONS)) {
  test(`translates ${title}`, () => {
    assert.deepEqual(checkParametersSchema(given), []);
    assert.deepEqual(uncheckedConstraints(given), []);
    assert.deepEqual(normaliseSchema(given).schema, expected);
    const judge = compileParameters(given);
    assert.deepEqual(judge(fits), []);
    if (title !== 'additionalItems without a list') assert.notDeepEqual(judge(unfit), []);
    assert.deepEqual(normaliseSchema(expected).schema, expected);
  });
}

test('leaves the given schema unchanged', () => {
  const given = { definitions: { a: { nullable: true, type: 'string' } }, properties: { b: { $ref: '#/definitions/a' } } };
  const before = structuredClone(given);
  normaliseSchema(given);
  assert.deepEqual(given, before);
});

test('rejects what no dialect makes usable, with a pointer into the given schema', () => {
  const unusable: readonly (readonly [schema: Members, pointer: string])[] = [
    [{ $schema: 'http://json-schema.org/draft-03/schema#' }, '/$schema'],
    [{ $schema: 'https://example.com/own' }, '/$schema'],
    [{ $schema: 5 }, '/$schema'],
    [of({ $schema: DRAFT_07 }), '/properties/a/$schema'],
    [of({ $ref: 'https://evil.example/x' }), '/properties/a/$ref'],
    [of({ $ref: 'other.json#/definitions/a' }), '/properties/a/$ref'],
    [of({ $ref: '#/definitions/none' }), '/properties/a/$ref'],
    [of({ $ref: '#none' }), '/properties/a/$ref'],
    [of({ $dynamicRef: '#none' }), '/properties/a/$dynamicRef'],
    [{ $ref: '#' }, '/$ref'],
    [{ definitions: { a: { maxLenght: 3 } } }, '/definitions/a/maxLenght'],
    [{ $defs: { a: {} }, definitions: { a: { maxLenght: 3 } } }, '/definitions/a/maxLenght'],
    [of({ items: [{ minLength: -1 }] }), '/properties/a/items/0/minLength'],
    [{ dependencies: { a: { maxLenght: 3 } } }, '/dependencies/a/maxLenght'],
    [{ dependencies: { a: ['b', 'b'] } }, '/dependencies/a'],
    [{ dependencies: { a: 'b' } }, '/dependencies/a'],
    [{ dependencies: { a: ['b'] }, dependentRequired: { a: ['c'] } }, '/dependencies'],
    [of({ $ref: '#', nullable: true, maxLenght: 3 }), '/properties/a/maxLenght'],
    [of({ exclusiveMinimum: true }), '/properties/a/exclusiveMinimum'],
    [of({ nullable: 'yes' }), '/properties/a/nullable'],
    [of({ unevaluatedItems: false }), '/properties/a/unevaluatedItems'],
    [{ definitions: [] }, '/definitions'],
    [{ type: 'string' }, '/type'],
  ];
  for (const [schema, pointer] of unusable)
    assert.deepEqual(
      checkParametersSchema(schema).map((fault) => fault.pointer),
      [pointer],
      JSON.stringify(schema),
    );
});

test('names each unchecked constraint, and checks the others', () => {
  const schema = {
    $schema: DRAFT_07,
    definitions: { b: { type: 'string' } },
    properties: {
      a: { type: 'string', pattern: '^(?=.*x)', maxLength: 3 },
      b: { type: 'string', format: 'binary' },
      c: { $ref: '#/definitions/b', maxLength: 1, description: 'Beside a reference.' },
    },
  };
  assert.deepEqual(checkParametersSchema(schema), []);
  assert.deepEqual(
    uncheckedConstraints(schema).map(({ pointer }) => pointer),
    ['/properties/b/format', '/properties/c/maxLength', '/properties/a/pattern'],
  );
  const judge = compileParameters(schema);
  assert.deepEqual(judge({ a: 'abc', b: 'x', c: 'long' }), []);
  assert.equal(judge({ a: 'long' }).length, 1);
  assert.equal(judge({ c: 1 }).length, 1);
});

test('checks keywords next to a reference since 2019-09', () => {
  for (const dialect of [{}, { $schema: DRAFT_2019 }, { $schema: DRAFT_2020 }]) {
    const schema = { ...dialect, $defs: { b: { type: 'string' } }, ...of({ $ref: '#/$defs/b', maxLength: 1 }) };
    assert.deepEqual(uncheckedConstraints(schema), []);
    assert.equal(compileParameters(schema)({ a: 'long' }).length, 1);
  }
});

test('never removes a pattern if that would make the schema stricter', () => {
  const lookahead = { pattern: '(?=x)' };
  const inverted: readonly Members[] = [
    { not: lookahead },
    { oneOf: [lookahead, {}] },
    { if: lookahead, then: false, else: true },
    { contains: lookahead, maxContains: 1 },
    { allOf: [{ not: { anyOf: [lookahead] } }] },
    { allOf: [lookahead], not: { $ref: '#/$defs/b' } },
  ];
  for (const each of inverted) {
    const schema = { $defs: { b: {} }, ...of(each) };
    const [fault] = checkParametersSchema(schema);
    assert.match(fault?.pointer ?? '', /pattern$/, JSON.stringify(each));
  }
  for (const each of [{ anyOf: [lookahead, { minLength: 1 }] }, { contains: lookahead }, { then: lookahead, if: {}, else: {} }])
    assert.deepEqual(checkParametersSchema(of(each)), [], JSON.stringify(each));
  const [fault] = checkParametersSchema(of({ patternProperties: { '(?=x)': {} }, additionalProperties: false }));
  assert.equal(fault?.pointer, '/properties/a/patternProperties/(?=x)');
});

test('applies bounds of patterns before patterns are removed', () => {
  const patterns = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`p${index}`, { pattern: '(?=x)' }]));
  assert.match(checkParametersSchema({ properties: patterns })[0]?.message ?? '', /32 patterns, not 33/);
});

type Listed = { readonly server: string; readonly name: string; readonly inputSchema: Members; readonly outputSchema?: Members };
const { tools } = JSON.parse(readFileSync(new URL('../../../cases/mcp-tools.json', import.meta.url), 'utf8')) as {
  tools: readonly Listed[];
};

test('accepts every input and output schema that public MCP servers list, and checks all of it', () => {
  const schemas = tools.flatMap(({ server, name, inputSchema, outputSchema }) =>
    [inputSchema, ...(outputSchema ? [outputSchema] : [])].map((schema) => [`${server} ${name}`, schema] as const),
  );
  assert.equal(tools.length, 42);
  for (const [title, schema] of schemas) {
    assert.deepEqual(checkParametersSchema(schema), [], title);
    assert.deepEqual(uncheckedConstraints(schema), [], title);
    assert.equal(typeof compileParameters(schema), 'function');
  }
  assert.ok(schemas.every(([, { $schema }]) => typeof $schema === 'string'));
});
