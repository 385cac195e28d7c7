import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sampleEach, sampleFew } from '@svc/testing/length/test-length.ts';
import type { Attack } from './attack.ts';
import { findAttacks } from './find-attacks.ts';
import { type Bounds, judge } from './judge.ts';
import { runAttack } from './run-attack.ts';
import { type NeighbourScene, setScene } from './scene.ts';
import { type NeighbourFigures, readResidentMiB, watchNeighbour } from './watch-neighbour.ts';

/**
 * A random sample of each folder; all if this file is named. The short run in parallel with other tests detects attacks that stall a
 * neighbour, not ones that slow it slightly. Most attacks use the same planes in sequence, so the limits are wider than for one alone.
 */
const BOUNDS: Bounds = { timesQuietMax: 4, p99MsMax: { decide: 2_000, call: 3_000, read: 3_000, stop: 4_000 }, planeMiBMax: 480 };
const LENGTHS = { quietMs: 1_000, attackMs: 1_000 };

/** Growth of planes in MiB after which new ones are started, so that memory of an earlier attack does not count for the next. */
const GROWN_MIB = 320;
const isGrown = ({ planes }: NeighbourScene): boolean =>
  [planes.control, ...planes.gateways].some((child) => readResidentMiB(child) > GROWN_MIB);

type Found = { readonly file: string; readonly attack: Attack };
const found: readonly Found[] = await Promise.all(findAttacks().map(async (file) => ({ file, attack: (await import(file)).attack })));
const getFolder = ({ file }: Found): string => path.dirname(file);
const OF_EACH_FOLDER = 2;
const FOLDERS = 1;
const folders = sampleFew([...new Set(found.map(getFolder))], FOLDERS, 'folders of neighbours');
const tried = sampleEach(
  found.filter((each) => !each.attack.longOnly && folders.includes(getFolder(each))),
  getFolder,
  OF_EACH_FOLDER,
  'neighbours',
);

describe('another tenant is not disturbed by', () => {
  let scene: NeighbourScene;
  let quiet: NeighbourFigures;
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
      // The first work of planes is always slow.
      if (alone !== undefined) await watchNeighbour(alone, LENGTHS.quietMs);
      try {
        assert.deepEqual(judge(await runAttack(alone ?? scene, file, LENGTHS, quiet), BOUNDS), [], attack.title);
      } finally {
        await alone?.stop();
      }
    });
  }
});
