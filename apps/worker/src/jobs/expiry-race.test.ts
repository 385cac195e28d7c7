import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type DatabaseRole } from '@svc/postgres/connection/connect.ts';
import { newLogger } from '@svc/program/log/new-logger.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { expireApprovals } from './expire-approvals.ts';
import { runJob } from './job.ts';

test('an approval that is approved at its expiry ends expired, with the vote recorded exactly if it counted', async () => {
  const planes = await leasePlanes();
  const tenant = await newTenant(planes);
  const owner = await planes.database.client();
  const ann = await insertPerson(owner, tenant.organization_id, 'approver');
  const connectAs = (role: DatabaseRole) =>
    connect({ url: planes.database.url, role, ...testLogin(role), connectionsMax: 4, timeoutMs: 20_000 });
  const deps = {
    database: connectAs('svc_app'),
    identity: connectAs('svc_identity'),
    log: newLogger('test', 'silent', { write: () => {} }),
    clock: () => new Date(),
  };
  const answers = new Set<string | number>();
  for (let round = 0; round < countRepetitions({ short: 12, long: 40 }); round += 1) {
    const expires_at = new Date(Date.now() + 20);
    const { approvalId, actionId } = await insertHeldAction(owner, tenant, { expires_at });
    await sleep(Math.max(0, expires_at.getTime() - Date.now() - (round % 5)));
    const [answer] = await Promise.all([
      call(planes.controlUrl, 'POST', `/v1/approvals/${approvalId}/approve`, { token: ann.token, body: {} }),
      runJob(deps, expireApprovals),
      sleep(round % 4).then(() => runJob(deps, expireApprovals)),
    ]);
    await sleep(Math.max(0, expires_at.getTime() - Date.now() + 1));
    // The plane's own job may hold the lock, and then this one leaves the work to it.
    await waitUntil('the approval ends', async () => {
      await runJob(deps, expireApprovals);
      const { rows } = await owner.query('select status from approvals where id = $1', [approvalId]);
      return rows[0].status === 'EXPIRED';
    });
    const approved = answer.status === 200;
    answers.add(approved ? 200 : answer.json.error.code);
    const { rows } = await owner.query(
      `select p.status, a.status as action, array(select type from audit_events where subject_id = p.id order by id) as events,
         (select count(*)::int from approval_votes v where v.approval_id = p.id) as votes
         from approvals p join actions a on a.id = $2 where p.id = $1`,
      [approvalId, actionId],
    );
    assert.deepEqual(rows[0], {
      status: 'EXPIRED',
      action: 'EXPIRED',
      events: [...(approved ? ['approval.vote_cast', 'approval.approved'] : []), 'approval.expired'],
      votes: approved ? 1 : 0,
    });
  }
  assert.deepEqual(
    [...answers].filter((answer) => answer !== 200 && answer !== 'APPROVAL_EXPIRED'),
    [],
  );
  await Promise.all([deps.database.destroy(), deps.identity.destroy(), owner.end()]);
  await planes.stop();
});
