import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { countText, getCount, getShare, SHARE_MIN } from './count.ts';
import { findFaults } from './find-faults.ts';
import { newProofCheck } from './proofs-there.ts';
import type { Chapter } from './requirement.ts';
import { CHAPTERS } from './requirements/chapters.ts';
import { COUNTS, getNumbers, STANDARD } from './standard.ts';

const root = path.resolve(import.meta.dirname, '../..');
const everything = CHAPTERS.flatMap(({ requirements }) => Object.entries(requirements));

test('the requirements match the count of the standard, and each exists once', () => {
  assert.deepEqual(
    Object.fromEntries(Object.entries(STANDARD).map(([id, each]) => [id, [getNumbers(each[1]).length, getNumbers(each[2]).length]])),
    COUNTS,
  );
  const all = Object.values(STANDARD).flatMap((each) => [...getNumbers(each[1]), ...getNumbers(each[2])]);
  assert.deepEqual([all.length, new Set(all).size], [157, 157]);
});

test('every requirement of levels 1 and 2 has an answer, and every named test and document exists', () => {
  assert.deepEqual(findFaults(CHAPTERS, newProofCheck(root)), []);
});

test('nine of ten applicable requirements are met, and few do not apply', () => {
  const count = getCount(CHAPTERS);
  assert.ok(getShare(count) >= SHARE_MIN, countText(count));
  assert.ok(count.notApplicable <= 16, countText(count));
});

test('reports a missing requirement, test or reason', () => {
  const [first] = CHAPTERS as [Chapter, ...Chapter[]];
  const fault = newProofCheck(root);
  const file = 'e2e/asvs/asvs.test.ts';
  const broken: Chapter = {
    ...first,
    requirements: {
      '6.2.1': {
        level: 2,
        says: 'of another level',
        met: [{ file, test: 'the requirements match the count of the standard, and each exists once' }],
      },
      '6.2.2': { level: 1, says: 'a test that is gone', met: [{ file, test: 'was here' }] },
      '6.2.3': { level: 1, says: 'a file that is gone', met: [{ file: 'e2e/gone.test.ts', test: 'was here' }] },
      '6.2.4': { level: 1, says: 'no reason', unmet: '' },
      '6.9.9': { level: 1, says: 'of no standard', met: [{ file: 'SECURITY.md', heading: 'Was here' }] },
    },
  };
  const faults = findFaults([broken], fault);
  for (const wanted of [
    '6.2.1 is of level 1',
    `6.2.2: ${file} has no test "was here"`,
    '6.2.3: there is no file e2e/gone.test.ts',
    '6.2.4: is unmet without a reason',
    '6.2.5 is not in the table',
    '6.9.9 is no requirement of the standard',
    '6.9.9: names no test',
    '6.9.9: SECURITY.md has no heading "Was here"',
  ])
    assert.ok(faults.includes(wanted), `${wanted}\n${faults.join('\n')}`);
});

test('SECURITY.md names exactly the requirements that are not met, with the same reasons', () => {
  const document = readFileSync(path.join(root, 'SECURITY.md'), 'utf8');
  const told = [...document.matchAll(/^\| (\d+\.\d+\.\d+) \| (.+) \| (.+) \|$/gm)].map(([, number, says, why]) => [number, says, why]);
  const wanted = everything.flatMap(([number, each]) => ('unmet' in each ? [[number, each.says, each.unmet]] : []));
  assert.deepEqual(told, wanted);
  assert.ok(document.includes(countText(getCount(CHAPTERS))), countText(getCount(CHAPTERS)));
  const places = [...document.matchAll(/`((?:apps|packages|e2e)\/[^`]+)`/g)].map(([, place = '']) => place);
  assert.ok(places.length > 15);
  for (const place of places) assert.ok(existsSync(path.join(root, place)), place);
});
