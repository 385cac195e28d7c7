import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findShownRows } from '../web/design/shown-rows.ts';

const COUNT = 10_000;
const view = (top: number) => ({ top, screenPx: 900, rowPx: 36, count: COUNT });

test('of 10,000 rows at most 80 are in the document, and those on the screen are among them, wherever it is scrolled to', () => {
  for (let top = -500; top <= COUNT * 36; top += 517) {
    const { from, to } = findShownRows(view(top));
    assert.ok(to - from <= 80, `${to - from} rows at ${top}`);
    assert.ok(
      from <= Math.max(0, Math.floor(top / 36)) && to >= Math.min(COUNT, Math.ceil((top + 900) / 36)),
      `${from} to ${to} at ${top}`,
    );
  }
});

test('the range is the same for small steps of scrolling, and within the rows past the end', () => {
  assert.deepEqual(findShownRows(view(3_600)), findShownRows(view(3_690)));
  const { from, to } = findShownRows(view(1_000_000));
  assert.ok(from < to && to === COUNT, `${from} to ${to}`);
});
