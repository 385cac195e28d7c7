import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { connect } from '../../connection/connect.ts';
import { sweepMetChallenges } from './take-factor.ts';

test('challenges that were met are forgotten once their time is over, a bounded number at once, and none before', async () => {
  const fresh = await freshDatabase();
  const owner = await fresh.client();
  const identity = connect({ url: fresh.url, role: 'svc_identity', ...testLogin('svc_identity'), connectionsMax: 1, timeoutMs: 10_000 });
  try {
    await owner.query(`insert into used_passkey_challenges (challenge_hash, expires_at)
      select sha256(n::text::bytea), now() + (n - 5.5) * interval '1 minute' from generate_series(1, 10) n`);
    const left = async () => {
      await sweepMetChallenges(identity, new Date(), 3);
      return (await owner.query('select count(*)::int as n from used_passkey_challenges')).rows[0].n;
    };
    assert.deepEqual([await left(), await left(), await left()], [7, 5, 5]);
  } finally {
    await identity.destroy();
    await owner.end();
    await fresh.drop();
  }
});
