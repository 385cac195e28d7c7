import assert from 'node:assert/strict';
import type pg from 'pg';
import { createFreshDatabase } from '../database/database.ts';
import { startWorker } from '../events/start-worker.ts';
import { call, type TestResponse } from '../people/client.ts';
import { type Planes, startPlanes } from '../planes/start-planes.ts';
import { waitUntil } from '../time/until.ts';
import { type Governed, type GovernedOptions, newGoverned } from './governed.ts';

/** Planes with a worker that seals, and a tenant whose refunds require approval. */
export type RecordScene = {
  readonly planes: Planes;
  readonly owner: pg.Client;
  readonly governed: Governed;
  /** Waits until every event of the tenant is sealed. */
  readonly sealed: () => Promise<void>;
  /** Verifies the record once everything is sealed. */
  readonly verify: (body?: object) => Promise<TestResponse['json']>;
  /** Requests a refund that is held. */
  readonly hold: (body?: object) => Promise<{ readonly approvalId: string; readonly actionId: string; readonly body: object }>;
  /** Creates an approved refund that the agent executed and reported. */
  readonly newRefund: () => Promise<string>;
  readonly report: (actionId: string, body: object) => Promise<TestResponse>;
  /** Saves all actions, lets `tamper` change some as the owner of a database can, and restores them. */
  readonly whileTampered: <Result>(tamper: () => Promise<Result>) => Promise<Result>;
  readonly stop: () => Promise<void>;
};

const REFUND = { parameters: { order: 'A-17', note: 'damaged' }, amount: 95, currency: 'USD' };

const RULES = [{ id: 'refunds', effect: 'REQUIRE_APPROVAL', reason: 'Refunds need a person.' }];

export const openRecordScene = async (
  options: GovernedOptions = { rules: RULES },
  env: Readonly<Record<string, string>> = {},
): Promise<RecordScene> => {
  const database = await createFreshDatabase();
  const planes = await startPlanes({ database, env });
  const worker = await startWorker(database, {});
  const owner = await database.client();
  const governed = await newGoverned(planes, options);
  const sealed = (): Promise<void> =>
    waitUntil('every event is sealed', async () => {
      const { rows } = await owner.query(
        `select (select count(*) from audit_events where organization_id = $1) = (select count(*) from audit_leaves where organization_id = $1) as done`,
        [governed.tenant.organization_id],
      );
      return rows[0].done;
    });
  const verify: RecordScene['verify'] = async (body = {}) => {
    await sealed();
    const { status, json, text } = await governed.owner('POST', '/v1/audit-events/verify', body);
    assert.equal(status, 200, text);
    return json;
  };
  const hold: RecordScene['hold'] = async (body = REFUND) => {
    const { json, text } = await governed.act(body);
    assert.equal(json.error?.code, 'APPROVAL_REQUIRED', text);
    return { approvalId: json.error.details.approval_id, actionId: json.error.details.decision.action_id, body };
  };
  const report: RecordScene['report'] = (actionId, body) =>
    call(planes.gatewayUrl, 'POST', `/gateway/v1/actions/${actionId}/outcome`, { token: governed.token, body });
  return {
    ...{ planes, owner, governed, sealed, verify, hold, report },
    newRefund: async () => {
      const { approvalId, actionId, body } = await hold();
      const approved = await governed.owner('POST', `/v1/approvals/${approvalId}/approve`, {});
      assert.equal(approved.status, 200, approved.text);
      const { json, text } = await governed.act({ ...body, approval_id: approvalId });
      assert.deepEqual([json.action_id, json.code], [actionId, null], text);
      const reported = await report(actionId, { status: 'COMPLETED', result: { refund: 're_1' } });
      assert.equal(reported.status, 200, reported.text);
      return actionId;
    },
    whileTampered: async (tamper) => {
      await owner.query("set session_replication_role = 'replica'");
      await owner.query('create table kept_actions as select * from actions');
      const result = await tamper();
      await owner.query('delete from actions');
      await owner.query('insert into actions select * from kept_actions');
      await owner.query('drop table kept_actions');
      await owner.query("set session_replication_role = 'origin'");
      return result;
    },
    stop: async () => {
      await worker.stop();
      await owner.end();
      await planes.stop();
      await planes.database.drop();
    },
  };
};
