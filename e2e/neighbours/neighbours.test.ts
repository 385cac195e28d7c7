import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fewOf, someOfEach } from '@svc/testing/length/test-length.ts';
import type { Attack } from './attack.ts';
import { findAttacks } from './find-attacks.ts';
import { type Bounds, judge } from './judge.ts';
import { runAttack } from './run-attack.ts';
import { type Scene, setScene } from './scene.ts';
import { residentMiB, type Watched, watchNeighbour } from './watch-neighbour.ts';

/**
 * Of one folder some are tried, which ones the run chooses; of every folder where somebody names this file. The form is short besides: beside
 * other tests on the same machine, what stalls a neighbour is seen, what slows it a little is not. Most attacks meet the same planes one after
 * the other, so that these may hold somewhat more than after one alone.
 */
const BOUNDS: Bounds = { timesQuietMax: 4, p99MsMax: { decide: 2_000, call: 3_000, read: 3_000, stop: 4_000 }, planeMiBMax: 480 };
const LENGTHS = { quietMs: 1_000, attackMs: 1_000 };

/** Planes that hold so much after an attack make room for new ones, since memory that an earlier attack left is no fault of the next. */
const GROWN_MIB = 320;
const isGrown = ({ planes }: Scene): boolean => [planes.control, ...planes.gateways].some((child) => residentMiB(child) > GROWN_MIB);

type Found = { readonly file: string; readonly attack: Attack };
const found: readonly Found[] = await Promise.all(findAttacks().map(async (file) => ({ file, attack: (await import(file)).attack })));
const folderOf = ({ file }: Found): string => path.dirname(file);
const OF_EACH_FOLDER = 2;
const FOLDERS = 1;
const folders = fewOf([...new Set(found.map(folderOf))], FOLDERS, 'folders of neighbours');
const tried = someOfEach(
  found.filter((each) => !each.attack.longOnly && folders.includes(folderOf(each))),
  folderOf,
  OF_EACH_FOLDER,
  'neighbours',
);

describe('a neighbour is left in peace by', () => {
  let scene: Scene;
  let quiet: Watched;
  before(async () => {
    scene = await setScene();
    await watchNeighbour(scene, LENGTHS.quietMs);
    quiet = await watchNeighbour(scene, LENGTHS.quietMs);
  });
  after(() => scene.stop());

  for (const each of found) {
    const { file, attack } = each;
    test(path.basename(file, '.ts'), async (t) => {
      if (attack.longOnly) return t.skip('part of npm run e2e -- neighbours');
      if (!tried.includes(each)) return t.skip('part of npm run test:long');
      const alone = attack.alone || attack.env !== undefined ? await setScene(attack.env) : undefined;
      if (alone === undefined && isGrown(scene)) {
        await scene.stop();
        scene = await setScene();
        await watchNeighbour(scene, LENGTHS.quietMs);
      }
      // The first work of planes is slow, whoever is there.
      if (alone !== undefined) await watchNeighbour(alone, LENGTHS.quietMs);
      try {
        assert.deepEqual(judge(await runAttack(alone ?? scene, file, LENGTHS, quiet), BOUNDS), [], attack.title);
      } finally {
        await alone?.stop();
      }
    });
  }
});
