import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClockFault, type DatabaseClock, newDatabaseClock } from './database-clock.ts';

const NOON = Date.UTC(2026, 2, 4, 12);
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** Returns three adjustable clocks and the latency of the database in each direction. */
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

const getKind = (fault: ClockFault | undefined) => fault && [fault.kind, fault.seconds];

test("returns the database's time for any state of the wall clock, without a query", async () => {
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

test('reports a wall clock beyond the maximum skew, with the difference, from the moment it is set', async () => {
  const world = newWorld();
  const { clock } = await open(world);
  for (const [aheadSeconds, kind] of [
    [4, undefined],
    [120, ['apart', 120]],
    [-90_000, ['apart', -90_000]],
    [-4, undefined],
  ] as const) {
    world.wall = world.database + aheadSeconds * SECOND;
    assert.deepEqual(getKind(clock.fault()), kind);
  }
});

test('moves the time after a slow answer by no more than it proves, and not at all with a correct wall clock', async () => {
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

test('shares one measurement between concurrent calls', async () => {
  const world = newWorld();
  const { clock } = await open(world);
  const { asked } = world;
  await Promise.all([clock.measure(), clock.measure(), clock.measure()]);
  assert.equal(world.asked, asked + 1);
});

test('pauses and does not go back when the database returns with a slightly earlier clock', async () => {
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
});

/** Measures the database's time as often as a plane does. */
const live = async (clock: DatabaseClock, world: World, seconds: number): Promise<void> => {
  for (let passed = 0; passed < seconds; passed += 2) {
    pass(world, 2 * SECOND);
    await clock.measure();
  }
};

for (const hours of [2, -2])
  for (const [whose, setWall] of [
    ["the database's machine", false],
    ['the one machine of both', true],
  ] as const) {
    test(`reports an error of ${hours} h for 5 s in the clock of ${whose} while it lasts, and changes no time`, async () => {
      const world = newWorld();
      const { clock } = await open(world);
      const set = (ms: number): void => {
        world.database += ms;
        if (setWall) world.wall += ms;
      };
      const started = clock.nowMs();
      set(hours * HOUR);
      await clock.measure();
      assert.deepEqual(getKind(clock.fault()), ['set', hours * 3600]);
      await live(clock, world, 5);
      assert.deepEqual(getKind(clock.fault()), ['set', hours * 3600]);
      isClose(clock.nowMs() - started, 6 * SECOND, 10);
      set(-hours * HOUR);
      await clock.measure();
      assert.equal(clock.fault(), undefined);
      isClose(clock.nowMs(), world.database, 10);
    });

    test(`follows a time that ${whose} keeps, ${hours} h away, when the wall clock agrees with it`, async () => {
      const world = newWorld();
      const { clock } = await open(world);
      world.database += hours * HOUR;
      if (setWall) world.wall += hours * HOUR;
      await live(clock, world, 28);
      assert.equal(clock.fault()?.kind, 'set');
      await live(clock, world, 6);
      assert.equal(clock.fault()?.kind, setWall ? undefined : 'set');
      if (!setWall) {
        isClose(clock.nowMs(), world.wall, 10);
        world.wall += hours * HOUR;
        await clock.measure();
        assert.equal(clock.fault(), undefined);
      }
      isClose(clock.nowMs(), world.database, 10);
    });
  }

test('never follows a time that jumps back and forth', async () => {
  const world = newWorld();
  const { clock } = await open(world);
  const started = clock.nowMs();
  for (let round = 0; round < 40; round += 1) {
    world.database += (round % 2 === 0 ? 1 : -1) * HOUR;
    world.wall = world.database;
    if (round % 2 === 0) world.database += round * 10 * SECOND;
    await live(clock, world, 2);
  }
  isClose(clock.nowMs() - started, 80 * SECOND, 100);
});

test("refuses when it starts while the database's time is wrong, and follows as soon as it is correct", async () => {
  const world = { ...newWorld(), database: NOON + 2 * HOUR };
  const { clock } = await open(world);
  assert.deepEqual(getKind(clock.fault()), ['apart', -7200]);
  clock.nowMs();
  await live(clock, world, 4);
  world.database -= 2 * HOUR;
  await clock.measure();
  assert.equal(clock.fault(), undefined);
  isClose(clock.nowMs(), world.wall, 10);
});

test('reports a machine that slept, whose monotonic clock stopped, until its new time is confirmed', async () => {
  const world = newWorld();
  const { clock } = await open(world);
  world.wall += HOUR;
  world.database += HOUR;
  assert.equal(clock.fault()?.kind, 'apart');
  await live(clock, world, 34);
  assert.equal(clock.fault(), undefined);
  isClose(clock.nowMs(), world.database);
});

test('treats the time as unknown after a minute without an answer of the database', async () => {
  const world = newWorld();
  const { clock } = await open(world);
  pass(world, 59 * SECOND);
  assert.equal(clock.fault(), undefined);
  pass(world, 2 * SECOND);
  assert.equal(clock.fault()?.kind, 'unknown');
  await clock.measure();
  assert.equal(clock.fault(), undefined);
});
