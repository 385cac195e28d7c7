import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import type pg from 'pg';
import { connect, type Database } from '../../connection/connect.ts';
import { FORGOTTEN, forgetEnded } from './forget-ended.ts';

let fresh: FreshDatabase;
let owner: pg.Client;
let identity: Database;
before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  identity = connect({ url: fresh.url, role: 'svc_identity', ...testLogin('svc_identity'), connectionsMax: 1, timeoutMs: 10_000 });
  await owner.query(
    "insert into organizations (id, name) values ('org', 'a'); insert into users (id, email, name) values ('usr', 'a@b.c', 'P')",
  );
  for (const insert of Object.values(ROWS)) await owner.query(insert);
});
after(async () => {
  await identity.destroy();
  await owner.end();
  await fresh.drop();
});

/** Five that have ended long ago and five that have not, of each kind. */
const EACH = "generate_series(1, 10) n, lateral (select now() + (n - 5.5) * interval '1 year' as at) t";
const ROWS: Readonly<Record<keyof typeof FORGOTTEN, string>> = {
  sign_ups: `insert into sign_ups (id, email_key, sealed, code_hash, expires_at) select n, n, 'x', 'x', at from ${EACH}`,
  used_passkey_challenges: `insert into used_passkey_challenges (challenge_hash, expires_at) select sha256(n::text::bytea), at from ${EACH}`,
  sso_attempts: `insert into sso_attempts (state_hash, browser_hash, organization_id, connection_id, redirect_uri, expires_at)
    select sha256(n::text::bytea), 'x', 'org', 'x', 'x', at from ${EACH}`,
  password_resets: `insert into password_resets (key, code_hash, sent_at, hour_began_at, expires_at) select n, 'x', at, at, at from ${EACH}`,
  sign_in_failures: `insert into sign_in_failures (key, failures, first_failed_at) select n, 1, at from ${EACH}`,
  cli_requests: `insert into cli_requests (id, flow, code_challenge, user_code_hash, source_ip, address_group, created_at, expires_at, poll_after, poll_seconds)
    select n, 'DEVICE', 'x', sha256(n::text::bytea), 'x', 'x', at, at, at, 5 from ${EACH}`,
  mfa_challenges: `insert into mfa_challenges (organization_id, session_id, user_id, token_hash, proofs, source, expires_at)
      select 'org', 'c' || n, 'usr', sha256(n::text::bytea), '{}', 'x', at from ${EACH};
    insert into device_approvals (organization_id, id, session_id, user_id, number, source_ip, expires_at)
      select 'org', n, 'c' || n, 'usr', 42, 'x', at from ${EACH};
    insert into sso_sessions (organization_id, session_id, connection_id, user_id) select 'org', 'c' || n, 'x', 'usr' from ${EACH}`,
  second_factors: `insert into second_factors (user_id, id, kind, name, enrolled_in, sealed_secret, created_at, confirmed_at)
    select 'usr', n, 'TOTP', 'x', 'x', 'x', now() - interval '1 day', case when n > 5 then now() end from ${EACH}`,
  invitations: `insert into invitations (organization_id, id, email, role_id, code_hash, invited_by, invited_by_type, sent_at, expires_at)
    select 'org', n, n, 'r', sha256(n::text::bytea), 'usr', 'USER', at, at from ${EACH}`,
  ended_sign_ins: `insert into sessions (organization_id, id, user_id, token_hash, expires_at) select 'org', n, 'usr', sha256(n::text::bytea), at from ${EACH};
    insert into ended_sign_ins (organization_id, session_id, sign_in_id) select 'org', n, n from ${EACH}`,
  sessions: `insert into sso_sessions (organization_id, session_id, connection_id, user_id) select 'org', n, 'x', 'usr' from ${EACH}`,
};

const getCount = async (table: string): Promise<number> => (await owner.query(`select count(*)::int as n from ${table}`)).rows[0].n;

describe('deletes ended rows, a bounded number at once, and no others', () => {
  for (const table of Object.keys(FORGOTTEN))
    test(table, async () => {
      const left: number[] = [];
      for (const _ of [1, 2, 3]) {
        await forgetEnded(identity, table, new Date(), 3);
        left.push(await getCount(table));
      }
      assert.deepEqual(left, [7, 5, 5]);
    });

  test('with dependent rows', async () => {
    assert.deepEqual([await getCount('device_approvals'), await getCount('sso_sessions')], [5, 10]);
  });

  test('and its role deletes no active row, for any query', async () => {
    const late = new Date(Date.now() + 100 * 365 * 86_400_000);
    for (const table of ['mfa_challenges', 'invitations', 'ended_sign_ins', 'sessions']) await forgetEnded(identity, table, late, 100);
    for (const table of ['mfa_challenges', 'invitations', 'ended_sign_ins', 'sessions']) assert.equal(await getCount(table), 5, table);
  });
});
