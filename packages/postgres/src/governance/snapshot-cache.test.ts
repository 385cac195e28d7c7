import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newSnapshotCache } from './snapshot-cache.ts';

type Snapshot = { readonly organization_id: string; readonly n: number };

const counting = (sizeMax = 10) => {
  let loads = 0;
  const cache = newSnapshotCache<Snapshot>(
    async (organization_id, id) => {
      loads += 1;
      if (id === 'broken') throw new Error('no database');
      return id === 'nobody' ? undefined : { organization_id, n: loads };
    },
    { bytesMax: sizeMax, bytesOf: () => 1 },
  );
  return { cache, loads: () => loads };
};

describe('the snapshot cache', () => {
  test('loads once for concurrent callers, and then returns without waiting', async () => {
    const { cache, loads } = counting();
    const all = await Promise.all(Array.from({ length: 32 }, () => cache.get('org_1', 'a')));
    assert.equal(loads(), 1);
    assert.equal(new Set(all).size, 1);
    assert.equal(cache.get('org_1', 'a') instanceof Promise, false);
  });

  test('evicts exactly the named snapshot, never a newer one', async () => {
    const { cache, loads } = counting();
    const old = (await cache.get('org_1', 'a')) as Snapshot;
    cache.forget('a', old);
    const fresh = (await cache.get('org_1', 'a')) as Snapshot;
    cache.forget('a', old);
    assert.equal(cache.get('org_1', 'a'), fresh);
    assert.equal(loads(), 2);
  });

  test('never returns the snapshot of another organization', async () => {
    const { cache } = counting();
    await cache.get('org_1', 'a');
    assert.equal((await cache.get('org_2', 'a'))?.organization_id, 'org_2');
  });

  test('does not cache a missing snapshot or a failed load', async () => {
    const { cache, loads } = counting();
    assert.equal(await cache.get('org_1', 'nobody'), undefined);
    assert.equal(await cache.get('org_1', 'nobody'), undefined);
    await assert.rejects(async () => cache.get('org_1', 'broken'));
    await assert.rejects(async () => cache.get('org_1', 'broken'));
    assert.equal(loads(), 4);
  });

  test('holds at most its bound', async () => {
    const { cache, loads } = counting(2);
    for (const id of ['a', 'b', 'c']) await cache.get('org_1', id);
    await cache.get('org_1', 'a');
    assert.equal(loads(), 4);
  });

  test('evicts the least recently used, and keeps what is used all the time', async () => {
    const { cache, loads } = counting(10);
    for (let n = 0; n < 30; n += 1) {
      await cache.get('org_1', 'often');
      await cache.get('org_1', `once-${n}`);
    }
    assert.equal(loads(), 31);
  });
});
