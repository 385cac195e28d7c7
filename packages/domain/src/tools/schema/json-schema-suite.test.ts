import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSuite, SUITE_DIALECTS, type SuiteGroup } from '@svc/testing/json-schema-suite/read-suite.ts';
import { DIFFERENT_VERDICTS, REFUSED_SCHEMAS } from './json-schema-suite.fixture.ts';
import { checkParametersSchema, compileParameters } from './parameters-schema.ts';

type Members = Readonly<Record<string, unknown>>;
const REFERENCES = ['$ref', '$recursiveRef', '$dynamicRef'];
const VALUES = ['const', 'enum', 'default', 'examples'];

/** Rebases references to the root of a schema. */
const moveReferences = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(moveReferences);
  if (typeof value !== 'object' || value === null) return value;
  const moved = Object.entries(value).map(([keyword, each]): [string, unknown] => {
    if (VALUES.includes(keyword)) return [keyword, each];
    const isLocal = REFERENCES.includes(keyword) && typeof each === 'string' && /^#(?:\/|$)/.test(each);
    return [keyword, isLocal ? `#/properties/value${each.slice(1)}` : moveReferences(each)];
  });
  return Object.fromEntries(moved);
};

/** The schema of a tool whose only parameter is judged by the schema of a group; a tool's parameters are an object. */
const toolSchema = ({ schema }: SuiteGroup, dialect: string): Members => {
  if (typeof schema === 'boolean') return { $schema: SUITE_DIALECTS[dialect], type: 'object', properties: { value: schema } };
  const identifier = dialect === 'draft-04' ? 'id' : '$id';
  const { $schema = SUITE_DIALECTS[dialect], [identifier]: id, ...rest } = schema;
  const root = id === undefined ? { $schema } : { $schema, [identifier]: id };
  return { ...root, type: 'object', properties: { value: moveReferences(rest) } };
};

/** Everything in which the service differs from the suite: refused schemas, and cases with another verdict. */
const differences = (dialect: string): { readonly refused: string[]; readonly verdicts: string[]; readonly agreed: number } => {
  const [refused, verdicts]: [string[], string[]] = [[], []];
  let agreed = 0;
  for (const group of readSuite(dialect)) {
    const schema = toolSchema(group, dialect);
    const name = `${group.file}: ${group.description}`;
    if (checkParametersSchema(schema).length > 0) {
      refused.push(name);
      continue;
    }
    const judge = compileParameters(schema);
    for (const { description, data, valid } of group.tests) {
      if ((judge({ value: data }).length === 0) === valid) agreed += 1;
      else verdicts.push(`${name}: ${description}`);
    }
  }
  return { refused, verdicts, agreed };
};

/** The entry of a list that covers a name: the name itself, or the beginning of it up to a colon. */
const findEntry = (entries: readonly string[], name: string): string | undefined =>
  entries.find((entry) => name === entry || name.startsWith(`${entry}: `));

/** Names of the whole suite below which an entry has to differ: what agrees is reported, so that no entry outlives its reason. */
const listNames = (dialect: string, areCases: boolean): readonly string[] =>
  readSuite(dialect).flatMap(({ file, description, tests }) =>
    areCases ? tests.map((each) => `${file}: ${description}: ${each.description}`) : [`${file}: ${description}`],
  );

test('follows the JSON Schema test suite in every dialect, except for the listed cases', () => {
  for (const dialect of Object.keys(SUITE_DIALECTS)) {
    const { refused, verdicts, agreed } = differences(dialect);
    for (const [found, list, areCases] of [
      [refused, REFUSED_SCHEMAS, false],
      [verdicts, DIFFERENT_VERDICTS, true],
    ] as const) {
      const entries = Object.values(list).flat();
      assert.deepEqual(
        found.filter((name) => findEntry(entries, name) === undefined),
        [],
        `${dialect}: not listed`,
      );
      const listed = listNames(dialect, areCases).filter((name) => findEntry(entries, name) !== undefined);
      assert.deepEqual(
        listed.filter((name) => !found.includes(name)),
        [],
        `${dialect}: listed, but no longer different`,
      );
    }
    assert.ok(agreed > 800, `${dialect}: ${agreed} cases`);
  }
});

test('lists only cases that the suite contains', () => {
  for (const [list, areCases] of [
    [REFUSED_SCHEMAS, false],
    [DIFFERENT_VERDICTS, true],
  ] as const) {
    const names = Object.keys(SUITE_DIALECTS).flatMap((dialect) => listNames(dialect, areCases));
    for (const entry of Object.values(list).flat())
      assert.ok(
        names.some((name) => findEntry([entry], name) !== undefined),
        entry,
      );
  }
});
