import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { PIPELINE } from './pipeline.ts';

test('the row of an action names every code that a stage refuses with', () => {
  const named: readonly string[] = ENDPOINTS.act.refuses;
  for (const { name, refuses } of PIPELINE) for (const code of refuses) assert.ok(named.includes(code), `${name} refuses with ${code}`);
});

test('the walk of an action tells the stages in their order with the codes of each', () => {
  const walk = readFileSync(new URL('../../../docs/walk-of-an-action.md', import.meta.url), 'utf8');
  const told = [...walk.matchAll(/^\| \[(\w+)\]\(.*stages\/.*\|([^|]*)\|$/gm)].map(([, name, codes]) => ({
    name,
    codes: [...(codes ?? '').matchAll(/[A-Z]{3,}(?:_[A-Z]+)+|UNPROCESSABLE/g)]
      .map(([code]) => code)
      .filter((code) => code !== 'APPROVAL_REQUIRED'),
  }));
  assert.deepEqual(
    told.map(({ name, codes }) => ({ name, codes: codes.sort() })),
    PIPELINE.map(({ name, refuses }) => ({ name, codes: [...refuses].sort() })),
  );
});
