import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClockFault, newDatabaseClock } from './database-clock.ts';

const NOON = Date.UTC(2026, 2, 4, 12);
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** Three clocks that can be set, and how long the database's answer takes there and back. */
const newWorld = () => ({ monotonic: 5_000, wall: NOON, database: NOON, thereMs: 0.2, backMs: 0.2, asked: 0 });
type World = ReturnType<typeof newWorld>;

const pass = (world: World, ms: number): void => {
  world.monotonic += ms;
  world.wall += ms;
  world.database += ms;
};

const open = async (world: World, skewMaxSeconds = 5) => {
  const set: number[] = [];
  const readDatabaseMs = async (): Promise<number> => {
    world.asked += 1;
    pass(world, world.thereMs);
    const answer = world.database;
    pass(world, world.backMs);
    return answer;
  };
  const sources = { readDatabaseMs, monotonicMs: () => world.monotonic, wallMs: () => world.wall };
  return { clock: await newDatabaseClock(sources, { skewMaxSeconds, onSet: (byMs) => set.push(byMs) }), set };
};

const isClose = (actual: number, expected: number, withinMs = 1): void =>
  assert.ok(Math.abs(actual - expected) <= withinMs, `${actual - expected} ms apart`);

const kindOf = (fault: ClockFault | undefined) => fault && [fault.kind, fault.seconds];

test("the time is the database's, whatever the wall clock says or is set to, and costs no query", async () => {
  const world = { ...newWorld(), wall: NOON + 120 * SECOND };
  const { clock } = await open(world);
  isClose(clock.nowMs(), world.database);
  const { asked } = world;
  for (const step of [25 * HOUR, -50 * HOUR, 0.5 * SECOND]) {
    world.wall += step;
    pass(world, SECOND);
    isClose(clock.nowMs(), world.database);
  }
  assert.equal(world.asked, asked);
});

test("a wall clock further from the database's than is allowed is a fault that says by how much, from the moment it is set", async () => {
  const world = newWorld();
  const { clock } = await open(world);
  for (const [aheadSeconds, kind] of [
    [4, undefined],
    [120, ['apart', 120]],
    [-90_000, ['apart', -90_000]],
    [-4, undefined],
  ] as const) {
    world.wall = world.database + aheadSeconds * SECOND;
    assert.deepEqual(kindOf(clock.fault()), kind);
  }
});

test('a slow answer moves the time by no more than it proves, and a right wall clock not at all', async () => {
  const world = { ...newWorld(), thereMs: 900, backMs: 10 };
  const { clock } = await open(world);
  isClose(clock.nowMs(), world.database, 0.01);
  const wrong = { ...newWorld(), wall: NOON + 120 * SECOND };
  const { clock: led } = await open(wrong);
  for (let round = 0; round < 50; round += 1) {
    Object.assign(wrong, round % 2 === 0 ? { thereMs: 900, backMs: 1 } : { thereMs: 1, backMs: 900 });
    await led.measure();
    isClose(led.nowMs(), wrong.database, 100);
  }
});

test('of measurements asked for at the same time one is made', async () => {
  const world = newWorld();
  const { clock } = await open(world);
  const { asked } = world;
  await Promise.all([clock.measure(), clock.measure(), clock.measure()]);
  assert.equal(world.asked, asked + 1);
});

test('a database that comes back with an earlier clock does not turn time back: it stands still for a little, and is a fault for more', async () => {
  const world = newWorld();
  const { clock, set } = await open(world);
  const before = clock.nowMs();
  world.database -= 3 * SECOND;
  await clock.measure();
  assert.equal(clock.nowMs(), before);
  assert.equal(clock.fault(), undefined);
  isClose(set[0] ?? 0, -3 * SECOND);
  pass(world, 10 * SECOND);
  isClose(clock.nowMs(), world.database);

  // The machine with both clocks is set back by an hour.
  const late = clock.nowMs();
  world.database -= HOUR;
  world.wall = world.database;
  await clock.measure();
  assert.equal(clock.nowMs(), late);
  const fault = clock.fault();
  assert.equal(fault?.kind, 'back');
  isClose((fault?.seconds ?? 0) * SECOND, HOUR, 200);
  pass(world, HOUR);
  await clock.measure();
  assert.equal(clock.fault(), undefined);
  isClose(clock.nowMs(), world.database, 50);
});

test('a database that comes back with a later clock than everybody else is a fault, so that no window ends early', async () => {
  const world = newWorld();
  const { clock, set } = await open(world);
  world.database += HOUR;
  await clock.measure();
  isClose(set[0] ?? 0, HOUR);
  assert.deepEqual(kindOf(clock.fault()), ['apart', -3600]);
});

test('a machine that slept, whose monotonic time stood still, is a fault until the database was asked again', async () => {
  const world = newWorld();
  const { clock } = await open(world);
  world.wall += HOUR;
  world.database += HOUR;
  assert.equal(clock.fault()?.kind, 'apart');
  await clock.measure();
  assert.equal(clock.fault(), undefined);
  isClose(clock.nowMs(), world.database);
});

test('what the database has not confirmed for a minute is not known any more', async () => {
  const world = newWorld();
  const { clock } = await open(world);
  pass(world, 59 * SECOND);
  assert.equal(clock.fault(), undefined);
  pass(world, 2 * SECOND);
  assert.equal(clock.fault()?.kind, 'unknown');
  await clock.measure();
  assert.equal(clock.fault(), undefined);
});
