import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import type pg from 'pg';
import { connect, type Database } from '../../connection/connect.ts';
import { inTenant } from '../../connection/in-tenant.ts';
import { readRates } from './fx-rates.ts';

let fresh: FreshDatabase;
let owner: pg.Client;
let database: Database;
before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  await owner.query("insert into organizations (id, name) values ('org_a', 'a'), ('org_b', 'b')");
  database = connect({ url: fresh.url, role: 'svc_app', ...testLogin('svc_app'), connectionsMax: 2, timeoutMs: 20_000 });
});
after(async () => {
  await database.destroy();
  await owner.end();
  await fresh.drop();
});

const read = (organization_id: string) => inTenant(database, { organization_id }, (tx) => readRates(tx, organization_id));

const LETTERS = 'chr(65 + n % 26) || chr(65 + n / 26 % 26)';

/** Two years of hourly rates of many pairs, stated both ways round, with some deleted and some to come. */
const fill = (organization: string) =>
  owner.query(
    `insert into exchange_rates (organization_id, id, base_currency, quote_currency, rate, source, effective_at, created_at, created_by, deleted_at)
     select $1, 'fxr_' || lpad((row_number() over (order by h, n))::text, 10, '0'),
            case when h % 7 = 0 then ${LETTERS} || 'X' else 'USD' end, case when h % 7 = 0 then 'USD' else ${LETTERS} || 'X' end, (h + 1)::text,
            case when n % 40 = 0 then 'MANUAL' else 'AUTOMATIC' end, now() - make_interval(hours => 1000 - h), now(), 'x',
            case when n % 40 = 0 and h % 3 = 0 then now() end
       from generate_series(0, 159) n, generate_series(0, 1010) h`,
    [organization],
  );

test('reads the newest rate of each pair and source and all future ones, of this tenant alone', async () => {
  await fill('org_a');
  await owner.query('analyze exchange_rates');
  const rates = await read('org_a');
  const { rows } = await owner.query<{ id: string }>(`
    with shown as (
      select *, rank() over (partition by least(base_currency, quote_currency), greatest(base_currency, quote_currency), source
                             order by effective_at > now() - interval '10 minutes', effective_at desc, id desc) as place
        from exchange_rates where organization_id = 'org_a' and deleted_at is null
    )
    select id from shown where place = 1 or effective_at > now() - interval '10 minutes' order by id`);
  assert.deepEqual(
    rates.map(({ id }) => id).sort(),
    rows.map(({ id }) => id),
  );
  assert.ok(rates.some(({ source }) => source === 'MANUAL'));
  assert.deepEqual(await read('org_b'), []);
});

test('reads them in time linear in the pairs, not in the history', async () => {
  const { rows } = await owner.query("select count(*)::int as count from exchange_rates where organization_id = 'org_a'");
  assert.equal(rows[0].count, 160 * 1011);
  await read('org_a');
  const took: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const started = performance.now();
    await read('org_a');
    took.push(performance.now() - started);
  }
  // The fastest of several, since other load of the machine only adds to it.
  assert.ok(Math.min(...took) < 1_000, `${took.map(Math.round)} ms for readings of ${rows[0].count} rates`);
});
