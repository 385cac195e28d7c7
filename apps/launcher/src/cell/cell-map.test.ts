import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildId } from '@svc/contract/tables/ids.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { assignCell, readCellMap, writeCellMap } from './cell-map.ts';

const [ONE, TWO, THREE] = Array.from({ length: 3 }, () => buildId('organization', newUlid())) as [string, string, string];
const small = (id: string): string => id.toLowerCase();
const NONE: ReadonlySet<string> = new Set();

test('a map is read as it was written', () => {
  const map = new Map([
    [small(TWO), 'us-1'],
    [small(ONE), 'eu-1'],
  ]);
  assert.deepEqual(readCellMap(writeCellMap(map)), new Map([...map].sort()));
});

test('a line that is no assignment, or repeats one, is a fault', () => {
  for (const line of ['org_x', 'org_x eu-1 more', 'agt_x eu-1', 'org_x EU', 'org_x ../eu', ' org_x eu-1'])
    assert.equal(readCellMap(line), 'Line 1 is not "<organization> <cell>".', line);
  assert.equal(readCellMap('org_x eu-1\norg_x us-1\n'), 'Line 2 repeats org_x.');
});

test('assigns new organizations of a cell, and removes those that it no longer has', () => {
  const { map, added, removed, elsewhere } = assignCell(
    new Map([
      [small(ONE), 'eu-1'],
      [small(THREE), 'us-1'],
    ]),
    'eu-1',
    [TWO],
    NONE,
  );
  assert.deepEqual(
    [[...map], added, removed, elsewhere],
    [
      [
        [small(THREE), 'us-1'],
        [small(TWO), 'eu-1'],
      ],
      [small(TWO)],
      [small(ONE)],
      [],
    ],
  );
});

test('an organization of another cell keeps it until it is moved', () => {
  const before = new Map([[small(ONE), 'us-1']]);
  const refused = assignCell(before, 'eu-1', [ONE], NONE);
  assert.deepEqual([[...refused.map], refused.elsewhere], [[...before], [{ organization: small(ONE), cell: 'us-1' }]]);
  assert.deepEqual([...assignCell(before, 'eu-1', [ONE], new Set([ONE])).map], [[small(ONE), 'eu-1']]);
});
