import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { type getRow, MATRIX, PIPELINE, STAGES, SUPPOSED_STAGES } from './pipeline.ts';

test('the row of an action names every code that a stage refuses with', () => {
  const named: readonly string[] = ENDPOINTS.act.refuses;
  for (const { name, refuses } of PIPELINE) for (const code of refuses) assert.ok(named.includes(code), `${name} refuses with ${code}`);
});

test('the walk of an action lists the stages in their order with the codes of each', () => {
  const walk = readFileSync(new URL('../../../docs/walk-of-an-action.md', import.meta.url), 'utf8');
  const told = [...walk.matchAll(/^\| \[(\w+)\]\(.*stages\/.*\|([^|]*)\|$/gm)].map(([, name, codes]) => ({
    name,
    codes: [...(codes ?? '').matchAll(/[A-Z][A-Z0-9]{2,}(?:_[A-Z]+)+|UNPROCESSABLE/g)]
      .map(([code]) => code)
      .filter((code) => code !== 'APPROVAL_REQUIRED'),
  }));
  assert.deepEqual(
    told.map(({ name, codes }) => ({ name, codes: codes.sort() })),
    PIPELINE.map(({ name, refuses }) => ({ name, codes: [...refuses].sort() })),
  );
});

const wordOf = (cell: unknown): unknown => (typeof cell === 'function' ? 'its own way' : cell);

test('every stage states its behaviour for every entry point: an action gets all stages, and each omission is stated', () => {
  const words = ['asked', 'skipped', 'unspoken', 'its own way'];
  for (const { stage, ...cells } of MATRIX) {
    assert.deepEqual(Object.keys(cells).sort(), ['act', 'ask_tool', 'evaluate', 'simulate'], stage.name);
    for (const cell of Object.values(cells)) assert.ok(words.includes(wordOf(cell) as string), stage.name);
  }
  assert.deepEqual(STAGES.act, PIPELINE);
  assert.deepEqual(
    STAGES.ask_tool.map(({ name }) => name),
    ['identity', 'environment', 'agent', 'tool'],
  );
  assert.deepEqual(
    SUPPOSED_STAGES.map(({ name }) => name),
    MATRIX.flatMap(({ stage, simulate }) => (simulate === 'unspoken' ? [] : [stage.name])),
  );
});

test('a stage that omits an entry point, or itself from actions, does not compile', () => {
  const cells = { act: 'asked', evaluate: 'asked', simulate: 'skipped', ask_tool: 'unspoken' } as const;
  const { simulate: _, ...withoutOne } = cells;
  // @ts-expect-error the word for simulate is missing
  const wordless: Parameters<typeof getRow>[1] = withoutOne;
  // @ts-expect-error what acts is asked everything
  const passedOver: Parameters<typeof getRow>[1] = { ...cells, act: 'unspoken' };
  assert.equal(Object.keys({ ...wordless, ...passedOver }).length, 4);
});
