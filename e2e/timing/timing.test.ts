import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { ENDPOINTS } from './doors.ts';
import { measure } from './measure.ts';
import { setScene, type TimingScene } from './scene.ts';

const TRIES = 3;

let scene: TimingScene;
before(async () => {
  scene = await setScene(TRIES * ENDPOINTS.length);
});
after(() => scene.stop());

for (const [index, door] of ENDPOINTS.entries()) {
  test(`${door.name}: takes the same time for known and unknown addresses, and at least the time of the work for both`, async () => {
    const { faults, ...times } = await measure(scene, door, { from: index * TRIES, tries: TRIES, warmUp: 0 });
    assert.deepEqual(faults, []);
    // A system timer may fire a millisecond early by another clock.
    const soonest = door.isAskedByMembers ? 0 : LIMITS.evenAnswers.afterMs - 1;
    for (const ms of [...times.known, ...times.unknown]) assert.ok(ms >= soonest, `${ms} ms`);
  });
}
