import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call } from '@svc/testing/people/client.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ start: {} });

const create = (key: string, body: object) =>
  call(s.planes.controlUrl, 'POST', '/v1/workspaces', { token: s.tenant.token, body, headers: { 'idempotency-key': key } });

/** Inserts what the first request with a key leaves behind while it is in progress. */
const claim = (key: string) =>
  s.owner.query('insert into idempotency_keys (organization_id, principal_id, operation, key, request_hash) values ($1, $2, $3, $4, $5)', [
    s.tenant.organization_id,
    s.tenant.user.id,
    'createWorkspace',
    key,
    Buffer.alloc(32),
  ]);

test('a request whose key is in use is answered in time, with when to retry, and changes nothing', async () => {
  await s.owner.query('begin');
  await claim('slow');
  const startedAt = performance.now();
  const answer = await create('slow', { name: 'Waits' });
  const tookMs = performance.now() - startedAt;
  await s.owner.query('rollback');
  assert.equal(answer.json.error.code, 'CONFLICT', answer.text);
  assert.ok(Number(answer.headers.get('retry-after')) >= 1);
  assert.ok(tookMs < 60_000, `${tookMs} ms`);
  const later = await create('slow', { name: 'Waits' });
  assert.equal(later.status, 201, later.text);
});

test('a refusal that is stored late never replaces what the same key did meanwhile', async () => {
  const body = { name: 'Billing', slug: 'billing' };
  const taken = await create('taker', body);
  assert.equal(taken.status, 201, taken.text);
  // Storing the refusal waits until another request has used the key: the refusal itself was decided before.
  await s.owner.query(`create function slow_refusal() returns trigger language plpgsql as $$
    begin if new.status = 0 then perform pg_advisory_xact_lock(4242); end if; return new; end $$`);
  await s.owner.query('create trigger slow_refusal before insert on idempotency_keys for each row execute function slow_refusal()');
  await s.owner.query('select pg_advisory_lock(4242)');
  const refused = create('contested', body);
  const waiting = 'select 1 from pg_locks where locktype = $1 and objid = $2 and not granted';
  for (let rows = 0; rows === 0; ) rows = (await s.owner.query(waiting, ['advisory', 4242])).rowCount ?? 0;
  await s.owner.query('delete from workspaces where slug = $1', ['billing']);
  const made = await create('contested', body);
  assert.equal(made.status, 201, made.text);
  await s.owner.query('select pg_advisory_unlock(4242)');
  assert.equal((await refused).json.error.code, 'ALREADY_EXISTS');
  const again = await create('contested', body);
  assert.equal(again.status, 201, again.text);
  assert.equal(again.json.id, made.json.id);
});
