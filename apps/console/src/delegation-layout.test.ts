import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BOX, type Link, layOut, layOutDownwards } from '../web/agents/delegations/layout-tree.ts';

const link = (id: string, parent_id: string | null = null, from = 'usr_1'): Link => ({ id, from, parent_id });

test('each delegation is drawn once, right of the one that it derives from, and no two boxes overlap', () => {
  const { boxes, width, height } = layOut([link('a'), link('b'), link('c', 'a'), link('d', 'a'), link('e', 'c'), link('f', null, 'usr_2')]);
  assert.deepEqual(
    boxes
      .filter(({ kind }) => kind === 'edge')
      .map(({ key }) => key)
      .sort(),
    ['a', 'b', 'c', 'd', 'e', 'f'],
  );
  const at = new Map(boxes.map((box) => [box.key, box]));
  for (const box of boxes) {
    const parent = at.get(box.parent ?? '');
    if (parent) assert.ok(box.x >= parent.x + BOX.width, box.key);
    assert.ok(box.x >= 0 && box.y >= 0 && box.x + BOX.width <= width && box.y + BOX.height <= height, box.key);
    for (const other of boxes)
      assert.ok(box === other || box.x !== other.x || Math.abs(box.y - other.y) >= BOX.height, `${box.key} and ${other.key}`);
  }
});

test('a delegation whose parent is not listed is drawn below its delegator', () => {
  const { boxes } = layOut([link('a', 'gone', 'agt_1')]);
  assert.deepEqual(
    boxes.map(({ key, parent }) => [key, parent]),
    [
      ['from agt_1', undefined],
      ['a', 'from agt_1'],
    ],
  );
});

test('delegations beyond those that are drawn below one box are counted', () => {
  const { boxes } = layOut(Array.from({ length: 40 }, (_, index) => link(`d${index}`)));
  assert.deepEqual([boxes.filter(({ kind }) => kind === 'edge').length, boxes.find(({ kind }) => kind === 'more')?.hidden], [12, 28]);
});

test('500 delegations are laid out within a second of processor time', () => {
  const links = Array.from({ length: 500 }, (_, index) => link(`d${index}`, index === 0 ? null : `d${Math.floor((index - 1) / 3)}`));
  const before = process.cpuUsage();
  const { boxes } = layOut(links);
  const { user, system } = process.cpuUsage(before);
  assert.equal(boxes.length, 501);
  assert.ok(user + system < 1_000_000, `${user + system} µs`);
});

test('a drawing that is read downwards fits on a phone for any depth, and no two boxes overlap', () => {
  const links = Array.from({ length: 20 }, (_, index) => link(`d${index}`, index === 0 ? null : `d${index - 1}`));
  const { boxes, width } = layOutDownwards([...links, link('e', 'd3')]);
  assert.equal(boxes.length, 22);
  assert.ok(width <= 340, `${width} px`);
  const rows = new Set(boxes.map(({ y }) => y));
  assert.equal(rows.size, boxes.length);
});
