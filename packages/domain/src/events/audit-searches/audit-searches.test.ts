import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BLOCK_BYTES, type BloomPlace, ROW_BYTES, SEGMENT_CHUNKS } from './bloom-positions.ts';
import { listRequiredPlaces, newEventNoter } from './filters.ts';
import { newSignature, type SegmentBits } from './new-signature.ts';

const isIn = ({ bits, blocks }: SegmentBits, { block, rows }: BloomPlace, chunk: number): boolean =>
  rows.every((row) => ((bits[(block % blocks) * BLOCK_BYTES + row * ROW_BYTES + (chunk >> 3)] ?? 0) & (0x80 >> (chunk & 7))) !== 0);

/** Returns the chunks that a search would read. */
const lookedAt = (segment: SegmentBits, asked: Parameters<typeof listRequiredPlaces>[0]): number[] =>
  Array.from({ length: SEGMENT_CHUNKS }, (_, chunk) => chunk).filter(
    (chunk) =>
      segment.fullChunks[chunk] === '1' || listRequiredPlaces(asked).every((any) => any.some((place) => isIn(segment, place, chunk))),
  );

const summed = (texts: readonly (string | null)[], whole: readonly string[] = []): SegmentBits => {
  const signature = newSignature();
  const noter = newEventNoter(signature);
  for (const text of texts) {
    noter.beginChunk();
    noter.note({ whole, text });
  }
  return signature.finish();
};

test('reads a chunk for any beginning of a word in it, in any case and JSON escaping', () => {
  const data = JSON.stringify({ reason: 'line\nRefunded "C:\\temp\\new" for Zoë, 12345678901234567890123' });
  const segment = summed([`action.blocked act_01JXRT7K00ABCDEFGHJKMNPQRS ${data}`]);
  const found = [
    'refund',
    'REFUNDED',
    'line',
    'temp',
    'new',
    'act_01jxrt7k00abcdefghjkmnpqrs',
    '01JXRT7K00ABCDE',
    'blocked',
    'action.bl',
    '1234567890123456789',
  ];
  for (const word of found) assert.deepEqual(lookedAt(segment, { words: [word] }), [0], word);
});

test('excludes nothing that matches, for any texts', () => {
  const text = fc
    .array(fc.constantFrom('a', 'B', '7', 'refund', 'é', ' ', '"', '\\', '\n', '\u0001', '_', '-', '.'), { maxLength: 40 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.nat(), fc.integer({ min: 1, max: 24 }), (told, at, length) => {
      const begins = [...told.matchAll(/(?<![a-z0-9])[a-z0-9]|[^a-z0-9\s]/gi)].map(({ index }) => index);
      const from = begins[at % Math.max(1, begins.length)] ?? 0;
      const words = told
        .slice(from, from + length)
        .split(/\s+/)
        .filter((word) => word !== '');
      assert.equal(lookedAt(summed([JSON.stringify({ told })]), { words })[0], 0);
    }),
    { numRuns: 500 },
  );
});

test('skips chunks without a word or a filter, with very few exceptions', () => {
  const texts = Array.from(
    { length: SEGMENT_CHUNKS },
    (_, n) => `${Array.from({ length: 300 }, (__, m) => `word${n}x${m}`).join(' ')} only${n}`,
  );
  const segment = summed(texts, ['agent.paused', 'usr_1', 'USER', 'info', 'req_1', '', 'env_1']);
  const inVain = Array.from({ length: 1_000 }, (_, n) => lookedAt(segment, { words: [`never${n}`] }).length).reduce(
    (sum, count) => sum + count,
    0,
  );
  assert.ok(inVain < 0.005 * 1_000 * SEGMENT_CHUNKS, `${inVain} in vain`);
  assert.ok(lookedAt(segment, { words: ['only7'] }).includes(7));
  assert.equal(lookedAt(segment, { type: ['agent.resumed', 'agent.paused'] }).length, SEGMENT_CHUNKS);
  assert.ok(lookedAt(segment, { actor_id: 'usr_2' }).length < 5);
});

test('excludes nothing that is too long, too rich or folded differently elsewhere', () => {
  const rich = Array.from({ length: 20_000 }, (_, n) => (n * 7_919_993).toString(36)).join(' ');
  const segment = summed(['plain', null, rich, 'ſtrange', '\u212aelvin']);
  for (const words of [['never'], ['kelvin'], ['strange']]) {
    const found = lookedAt(segment, { words });
    assert.deepEqual(found.slice(0, 4), [1, 2, 3, 4], words[0]);
  }
});
