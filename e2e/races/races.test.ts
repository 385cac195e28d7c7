import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DOORS } from './doors.ts';
import { PARALLEL, runRound } from './race.ts';
import { type Scene, setScene } from './scene.ts';

let scene: Scene;
before(async () => {
  scene = await setScene();
});
after(() => scene.stop());

/** Every use counts alike, so fewer tell as much where each takes the time of a password. */
const HASHING = 8;

for (const door of DOORS) {
  const parallel = door.hashes ? HASHING : PARALLEL;
  test(`of ${parallel} uses at the same moment, at two planes, one wins: ${door.name}`, async () => {
    assert.deepEqual(await runRound(scene, door, parallel), []);
  });
}
