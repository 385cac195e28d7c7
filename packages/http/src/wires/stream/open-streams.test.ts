import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newOpenStreams } from './open-streams.ts';

const BOUNDS = { perOrganizationMax: 4, totalMax: 6, lifeMs: 60_000, lookMs: 5 };
const always = async () => true;

const until = async (what: string, holds: () => boolean): Promise<void> => {
  for (let tries = 0; !holds(); tries += 1) {
    assert.ok(tries < 5_000, what);
    await sleep(2);
  }
};

test('an organization has a limited number of streams, and a closed one frees its slot', () => {
  const { open } = newOpenStreams(BOUNDS);
  const opened = [1, 2, 3, 4].map(() => open('a', always));
  assert.equal(open('a', always), undefined);
  opened[0]?.close();
  opened[0]?.close();
  assert.ok(open('a', always));
  assert.equal(open('a', always), undefined);
});

test('at the limit the largest holder gives up its oldest, until none has two more than another', () => {
  const { open } = newOpenStreams(BOUNDS);
  const many = [1, 2, 3, 4].map(() => open('a', always)?.ended);
  const few = [1, 2].map(() => open('b', always)?.ended);
  const third = open('c', always)?.ended;
  assert.deepEqual([many[0]?.reason, many[1]?.aborted], ['no_room', false]);
  const fourth = open('c', always)?.ended;
  assert.deepEqual([many[1]?.reason, many[2]?.aborted], ['no_room', false]);
  assert.equal(open('c', always), undefined);
  assert.ok([...few, third, fourth].every((each) => each?.aborted === false));
});

test('all are checked together, and one whose credential ended or cannot be checked is ended, the others not', async () => {
  const { open, closeAll } = newOpenStreams(BOUNDS);
  let isAdmitted = true;
  let asked: string[] = [];
  const still = (name: string, answer: () => Promise<boolean>) => () => {
    asked.push(name);
    return answer();
  };
  const one = open(
    'a',
    still('one', async () => isAdmitted),
  )?.ended;
  const other = open('a', still('other', always))?.ended;
  const broken = open(
    'b',
    still('broken', () => (isAdmitted ? always() : Promise.reject(new Error('away')))),
  )?.ended;
  await until('a look', () => asked.length >= 3);
  assert.deepEqual(asked.slice(0, 3), ['one', 'other', 'broken']);
  isAdmitted = false;
  await until('the ends', () => one?.aborted === true && broken?.aborted === true);
  assert.deepEqual([one?.reason, broken?.reason, other?.aborted], ['not_admitted', 'unavailable', false]);
  closeAll();
  assert.equal(other?.reason, 'stopping');
  asked = [];
  const late = open('a', still('late', always))?.ended;
  await until('looks to begin again', () => asked.includes('late'));
  assert.equal(late?.aborted, false);
  closeAll();
});

test('protected streams keep their place, and further ones are refused', () => {
  const { open } = newOpenStreams({ ...BOUNDS, keepsPlaces: true });
  const many = [1, 2, 3, 4].map(() => open('a', always)?.ended);
  const few = [1, 2].map(() => open('b', always)?.ended);
  assert.equal(open('c', always), undefined);
  assert.ok([...many, ...few].every((each) => each?.aborted === false));
});
