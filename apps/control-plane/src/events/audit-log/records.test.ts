import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildId } from '@svc/contract/tables/ids.ts';
import { buildRecordDocument } from '@svc/domain/events/audit-log/record-document.ts';
import { ACTION } from '@svc/domain/events/audit-log/record-kinds/action.ts';
import { recordDigest } from '@svc/keyring/log/record-digest.ts';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { openRecordScene, type RecordScene } from '@svc/testing/agents/record-scene.ts';
import { authenticateEvents } from '@svc/testing/events/authenticate-events.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { insertAction } from '@svc/testing/records/insert-action.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

let scene: RecordScene;
before(async () => {
  scene = await openRecordScene();
});
after(() => scene.stop());

type Found = { readonly kind: string; readonly record?: { readonly type: string; readonly id: string }; readonly says: string };
const listKinds = (findings: readonly Found[]) => findings.map(({ kind, record }) => [kind, record?.id]);

test('verifyAuditEvents reports a completed refund whose amount, parameters and reason were rewritten in the database', async () => {
  const { owner, verify, whileTampered } = scene;
  const id = await scene.newRefund();
  const before = await verify();
  const { intact: parts } = before.record_parts;
  assert.deepEqual([before.findings, before.record_parts], [[], { intact: parts, changed: 0, erased: 0, not_covered: 0 }]);
  assert.ok(parts > 2, 'the action alone has two parts');
  const { intact, findings, record_parts } = await whileTampered(async () => {
    await owner.query(`update actions set amount = 9500, parameters = '{"order":"A-18"}', reason = 'Policy allows it.' where id = $1`, [
      id,
    ]);
    return verify();
  });
  assert.equal(intact, false);
  assert.deepEqual(listKinds(findings), [['RECORD_CHANGED', id]]);
  assert.deepEqual(record_parts, { intact: parts - 1, changed: 1, erased: 0, not_covered: 0 });
  assert.match(findings[0].says, new RegExp(`^The action ${id} was changed after it was recorded: its row does not match decision_digest`));
  assert.equal((await verify()).intact, true);
});

/** Values that differ from what is stored, by the type of the column. */
const OTHER_VALUES: Readonly<Record<string, string>> = {
  text: "'tampered'",
  json: `'{"tampered":true}'`,
  bigint: '4711',
  bytea: "'\\xdeadbeef'",
  'timestamp with time zone': "now() - interval '1 microsecond'",
};

const MICROSECONDS = `to_char(% at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Columns that no digest covers: they are no part of the decision or its outcome, and the service itself clears or moves them. */
const NOT_COVERED = ['held_until', 'idempotency_hash', 'idempotency_key'];

test('verifyAuditEvents detects a change of every column of an action that is not listed as uncovered', async () => {
  const { owner, verify, whileTampered } = scene;
  const id = await scene.newRefund();
  const { rows: columns } = await owner.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns where table_name = 'actions' order by ordinal_position`,
  );
  assert.ok(columns.length >= 35);
  const undetected: string[] = [];
  for (const { name, type } of columns) {
    const { intact } = await whileTampered(async () => {
      const { rowCount } = await owner.query(`update actions set ${name} = ${OTHER_VALUES[type]} where id = $1`, [id]);
      assert.equal(rowCount, 1, name);
      return verify();
    });
    if (intact) undetected.push(name);
  }
  assert.deepEqual(undetected.toSorted(), NOT_COVERED);
  assert.equal((await verify()).intact, true);
});

test('verifyAuditEvents detects rows that were swapped, moved, deleted, given another salt or put back to an earlier state', async () => {
  const { owner, verify, whileTampered, hold, governed } = scene;
  const [first, second] = [await scene.newRefund(), await scene.newRefund()];
  const pending = await hold();
  await owner.query('create table earlier_action as select * from actions where id = $1', [pending.actionId]);
  await governed.owner('POST', `/v1/approvals/${pending.approvalId}/deny`, { reason: 'Not today.' });
  const attacks: readonly (readonly [string, string, readonly unknown[], readonly string[]])[] = [
    [
      'swapped rows',
      "update actions set id = case id when $1 then $2 else $1 end || '' where id in ($1, $2)",
      [first, second],
      [first, second],
    ],
    ['moved', "update actions set id = 'act_7ZZZZZZZZZZZZZZZZZZZZZZZZZ' where id = $1", [first], [first]],
    ['deleted', 'delete from actions where id = $1', [first], [first]],
    ['another salt', "update actions set digest_salt = decode(repeat('ab', 16), 'hex') where id = $1", [first], [first, first]],
    ['no salt', 'update actions set digest_salt = null where id = $1', [first], [first, first]],
    [
      'salt of another',
      'update actions a set digest_salt = b.digest_salt from actions b where a.id = $1 and b.id = $2',
      [first, second],
      [first, first],
    ],
    [
      'an earlier state',
      `update actions a set (status, code, completed_at, digest_revision) =
         (select status, code, completed_at, digest_revision from earlier_action) where a.id = $1`,
      [pending.actionId],
      [pending.actionId],
    ],
  ];
  for (const [name, statement, values, ids] of attacks) {
    const { findings } = await whileTampered(async () => {
      await owner.query('alter table actions drop constraint actions_pkey cascade');
      await owner.query(statement, [...values]);
      return verify();
    });
    await owner.query('alter table actions add primary key (organization_id, id)');
    const changed = findings.filter(({ kind }: Found) => kind === 'RECORD_CHANGED' || kind === 'RECORD_DELETED');
    const expected = name === 'swapped rows' ? [first, first, second, second] : ids;
    assert.deepEqual(changed.map(({ record }: Found) => record?.id).toSorted(), [...expected].toSorted(), name);
  }
  assert.equal((await verify()).intact, true);
});

test('concurrent changes of one record leave it covered in its last state', async () => {
  const { governed, verify, owner } = scene;
  const { tenant, agent, tool } = governed;
  const agents = await Promise.all(Array.from({ length: 8 }, () => newAgent(tenant)));
  // Each changes rows of the same tool and locks another agent: only the entry in the record orders them.
  const authorized = await Promise.all(agents.map(({ id }) => governed.owner('POST', `/v1/tools/${tool.id}/agents`, { agent_id: id })));
  const described = await Promise.all(
    agents.map((_, index) => governed.owner('PATCH', `/v1/agents/${agent.id}`, { description: `Description ${index}.` })),
  );
  for (const { status, text } of [...authorized, ...described]) assert.ok(status < 300, text);
  const { findings, record_parts } = await verify();
  assert.deepEqual([findings, record_parts.changed], [[], 0]);
  const { rows } = await owner.query("select revision from covered_records where record_type = 'tool' and record_id = $1", [tool.id]);
  assert.ok(Number(rows[0].revision) >= agents.length, 'each change counts');
  await owner.query("set session_replication_role = 'replica'");
  await owner.query("update tool_agents set authorized_by = 'usr_7ZZZZZZZZZZZZZZZZZZZZZZZZZ' where agent_id = $1", [agents[0]?.id]);
  const tampered = await verify();
  assert.deepEqual(listKinds(tampered.findings), [['RECORD_CHANGED', tool.id]]);
  await owner.query('update tool_agents set authorized_by = $2 where agent_id = $1', [agents[0]?.id, tenant.user.id]);
  await owner.query("set session_replication_role = 'origin'");
});

test('a bulk operation on 1,000 agents leaves each of them covered', async () => {
  const { governed, verify, owner } = scene;
  const { organization_id, workspace_id, environment_id } = governed.tenant;
  const ids = Array.from({ length: 1_000 }, () => buildId('agent', newUlid()));
  await owner.query(
    `insert into agents (organization_id, id, workspace_id, environment_id, name, description, labels, created_at, updated_at)
     select $1, id, $2, $3, id, '', '{}', now(), now() from unnest($4::text[]) as made (id)`,
    [organization_id, workspace_id, environment_id, ids],
  );
  const before = (await verify()).record_parts;
  for (let at = 0; at < ids.length; at += 200) {
    const agent_ids = ids.slice(at, at + 200);
    const { json, text } = await governed.owner('POST', '/v1/agents/bulk', { agent_ids, operation: 'pause', reason: 'test' });
    assert.equal(json.counts?.changed, agent_ids.length, text.slice(0, 300));
  }
  const { findings, record_parts } = await verify();
  assert.deepEqual([findings, record_parts.intact - before.intact], [[], ids.length]);
  const [last] = ids.slice(-1);
  await owner.query("set session_replication_role = 'replica'");
  await owner.query("update agents set status = 'ACTIVE' where id = $1", [last]);
  await owner.query("set session_replication_role = 'origin'");
  assert.deepEqual(listKinds((await verify()).findings), [['RECORD_CHANGED', last]]);
  await owner.query("set session_replication_role = 'replica'");
  await owner.query("update agents set status = 'PAUSED' where id = $1", [last]);
  await owner.query("set session_replication_role = 'origin'");
});

test('a statement that changes 1,000 rows notes each record once', async () => {
  const { governed, owner } = scene;
  const { organization_id } = governed.tenant;
  await owner.query('begin');
  const { rowCount } = await owner.query("update agents set description = 'in bulk' where organization_id = $1", [organization_id]);
  const { rows } = await owner.query("select current_setting('svc.changed_records') as noted");
  await owner.query('rollback');
  const lines = rows[0].noted.trimEnd().split('\n');
  assert.ok(Number(rowCount) >= 1_000);
  assert.deepEqual([lines.length, new Set(lines).size], [rowCount, rowCount]);
});

test('every decision and end of an action leaves a record that its events cover', async () => {
  const { owner, verify, hold, governed, report } = scene;
  const { tenant } = governed;
  const ended: string[] = [];
  const denied = await hold();
  await governed.owner('POST', `/v1/approvals/${denied.approvalId}/deny`, { reason: 'Not today.' });
  const cancelled = await hold();
  await governed.owner('POST', `/v1/approvals/${cancelled.approvalId}/cancel`, { reason: 'No longer needed.' });
  const expired = await hold();
  await owner.query("update approvals set expires_at = now() - interval '1 second' where id = $1", [expired.approvalId]);
  await waitUntil('the approval is expired', async () => {
    const { rows } = await owner.query('select status from actions where id = $1', [expired.actionId]);
    return rows[0].status === 'EXPIRED';
  });
  const pending = await hold();
  const approved = await hold();
  await governed.owner('POST', `/v1/approvals/${approved.approvalId}/approve`, {});
  const failed = await hold();
  await governed.owner('POST', `/v1/approvals/${failed.approvalId}/approve`, {});
  await governed.act({ ...failed.body, approval_id: failed.approvalId });
  await report(failed.actionId, { status: 'FAILED', error: 'The order is closed.' });
  ended.push(...[denied, cancelled, expired, pending, approved, failed].map(({ actionId }) => actionId));
  const refused = await governed.act({ tool: 'no.such.tool' });
  ended.push(refused.json.error.details.decision.action_id);
  await activateRules(tenant, 'small', [
    { id: 'small', effect: 'BLOCK', when: { field: 'amount', op: 'lt', value: 10 }, reason: 'Too small to refund.' },
  ]);
  const blocked = await governed.act({ parameters: {}, amount: 5, currency: 'USD' });
  ended.push(blocked.json.error.details.decision.action_id);
  const ask = () => governed.act({ parameters: { n: 1 }, amount: 5, currency: 'USD' }, { key: 'asked-twice' });
  const [one, again] = [await ask(), await ask()];
  assert.equal(one.json.error.details.decision.action_id, again.json.error.details.decision.action_id);
  ended.push(one.json.error.details.decision.action_id);
  for (const mode of ['OBSERVE', 'SIMULATE']) {
    const moved = await governed.owner('POST', `/v1/environments/${tenant.environment_id}/gateway-mode`, { mode, reason: 'test' });
    assert.equal(moved.status, 200, moved.text);
    const { json, text } = await governed.act({ parameters: { mode }, amount: 50, currency: 'USD' });
    assert.ok(typeof json.action_id === 'string', text);
    ended.push(json.action_id);
  }
  await governed.owner('POST', `/v1/environments/${tenant.environment_id}/gateway-mode`, { mode: 'ENFORCE', reason: 'test' });
  const evaluated = await mustCall(tenant.controlUrl, 'POST', '/v1/actions/evaluate', {
    token: tenant.token,
    body: { agent_id: governed.agent.id, tool: governed.tool.name, parameters: {}, amount: 50, currency: 'USD' },
  });
  ended.push(evaluated.action_id);
  const { findings, record_parts } = await verify();
  assert.deepEqual([findings, record_parts.not_covered], [[], 0]);
  const { records } = await verify({ records: ended.map((id) => ({ type: 'action', id })) });
  for (const record of records) {
    assert.equal(record.status, 'INTACT', JSON.stringify(record));
    assert.deepEqual(record.parts.map(({ digest }: { digest: string }) => digest).toSorted(), ['decision_digest', 'outcome_digest']);
  }
  const forged = await scene.whileTampered(async () => {
    await owner.query("update actions set status = 'COMPLETED', code = 'X' where id = any($1)", [ended]);
    return verify({ records: ended.map((id) => ({ type: 'action', id })) });
  });
  assert.deepEqual([...new Set(forged.records.map(({ status }: { status: string }) => status))], ['CHANGED']);
  assert.equal(forged.findings.length, ended.length);
});

test('the event of a blocked action states the rule, its policy version, the reason and the amount', async () => {
  const { governed } = scene;
  const { json } = await governed.act({ parameters: {}, amount: 2, currency: 'USD' });
  const { action_id } = json.error.details.decision;
  const { data } = (await governed.owner('GET', `/v1/audit-events?subject_id=${action_id}&type=action.blocked`)).json;
  const { reason, amount, currency, rule_id, policy_id, policy_version, policy_version_id, code } = data[0].data;
  assert.deepEqual(
    { reason, amount, currency, rule_id, policy_version, code },
    {
      ...{ reason: 'Too small to refund.', amount: 2, currency: 'USD', rule_id: 'small', policy_version: 1 },
      code: 'ACTION_BLOCKED',
    },
  );
  assert.match(policy_id, /^pol_/);
  assert.match(policy_version_id, /^pvr_/);
});

test('an edited and approved action is covered as approved, and then as executed', async () => {
  const { governed, owner, verify, whileTampered } = scene;
  const { controlUrl, token, environment_id } = governed.tenant;
  const properties = { amount: { type: 'integer' }, to: { type: 'array', items: { type: 'string' } } };
  const tool = await mustCall(controlUrl, 'POST', '/v1/tools', {
    token,
    body: {
      ...{ name: 'narrowed', environment_id, required_capability: 'pay', kind: 'SDK', amount_from: '/amount', narrowable: ['/to'] },
      parameters_schema: { type: 'object', properties, additionalProperties: false },
    },
  });
  await mustCall(controlUrl, 'POST', `/v1/tools/${tool.id}/agents`, { token, body: { agent_id: governed.agent.id } });
  const held = await governed.act({ tool: 'narrowed', parameters: { amount: 500, to: ['a', 'b'] } });
  const { approval_id, decision } = held.json.error.details;
  const narrow = { amount: 300, to: ['b'] };
  const edited = await governed.owner('POST', `/v1/approvals/${approval_id}/edit`, { parameters: narrow });
  assert.equal(edited.json.status, 'APPROVED', edited.text);
  const records = [{ type: 'action', id: decision.action_id }];
  assert.equal((await verify({ records })).records[0].status, 'INTACT');
  const falsified = await whileTampered(async () => {
    await owner.query('update actions set amount = 500 where id = $1', [decision.action_id]);
    return verify({ records });
  });
  assert.equal(falsified.records[0].status, 'CHANGED');
  // A change of the row while it was held does not become what the log covers.
  await owner.query(`update actions set amount = 9500, parameters = '{}' where id = $1`, [decision.action_id]);
  const used = await governed.act({ tool: 'narrowed', approval_id, parameters: narrow });
  assert.equal(used.status, 200, used.text);
  const { rows } = await owner.query('select amount::int, parameters from actions where id = $1', [decision.action_id]);
  assert.deepEqual(rows, [{ amount: 300, parameters: narrow }]);
  assert.equal((await verify({ records })).records[0].status, 'INTACT');
});

test('an action of a release without digests is not covered, and none of its columns is a finding', async () => {
  const { owner, governed, sealed } = scene;
  const { organization_id, workspace_id, environment_id } = governed.tenant;
  const id = await insertAction(owner, { organization_id, workspace_id, environment_id });
  await authenticateEvents(owner, () =>
    owner.query(
      `insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data)
       values ($1, $2, 'action.allowed', now(), 'AGENT', 'agt_1', 'action', $3, 'info', 'req_1', 't', '{}')`,
      [organization_id, `evt_${newUlid()}`, id],
    ),
  );
  await sealed();
  const { records, findings } = await scene.verify({ records: [{ type: 'action', id }] });
  assert.deepEqual([records[0].status, findings], ['NOT_COVERED', []]);
});

/** Computes the digests of an action from its row, as anyone with the database can. */
const digestsOfRow = async (id: string) => {
  const { owner, governed } = scene;
  const textOf = {
    text: '%',
    json: '%::text',
    bigint: '%::text',
    bytea: "encode(%, 'hex')",
    timestamptz: MICROSECONDS,
    value: '%::text',
  } as const;
  const columns = ACTION.parts.flatMap(({ version, versions }) => Object.entries(versions[version]));
  const selected = columns.map(([name, type]) => `${textOf[type].replace('%', name)} as ${name}`);
  const { rows } = await owner.query(`select encode(digest_salt, 'hex') as salt, ${selected.join(', ')} from actions where id = $1`, [id]);
  const { salt, ...values } = rows[0];
  const row = { organization_id: governed.tenant.organization_id, id, salt, columns: values };
  const digests = ACTION.parts.map((part) => {
    const document = buildRecordDocument(ACTION, part, part.version, row);
    assert.ok(document);
    return [part.digest, recordDigest(document)];
  });
  return { ...Object.fromEntries(digests), digest_version: ACTION.parts[0].version, digest_revision: Number(values.digest_revision) };
};

test('an inserted event covers no record, before or after the sealer rejects it', async () => {
  const { owner, verify, governed, whileTampered, planes } = scene;
  const id = await scene.newRefund();
  const before = await verify();
  assert.deepEqual([before.intact, before.findings], [true, []]);
  const holder = await planes.database.client();
  const forge = async (mac: Buffer | null, forgedId: string): Promise<void> => {
    const forged = { id: forgedId, type: 'approval.approved', leaf_hash: null, mac, data: { action_id: id, ...(await digestsOfRow(id)) } };
    const { rowCount } = await owner.query(
      `insert into audit_events select (jsonb_populate_record(e, $2::jsonb || jsonb_build_object('transaction_id', pg_current_xact_id()::text))).*
         from audit_events e where subject_id = $1 and type = 'action.completed'`,
      [id, JSON.stringify({ ...forged, mac: mac && `\\x${mac.toString('hex')}` })],
    );
    assert.equal(rowCount, 1);
  };
  const ask = async (body: object) => (await governed.owner('POST', '/v1/audit-events/verify', body)).json;
  await whileTampered(async () => {
    await owner.query('update actions set amount = 9500, digest_revision = digest_revision + 5 where id = $1', [id]);
    // The sealer waits for every transaction that began before it.
    await holder.query('begin');
    await holder.query('select pg_current_xact_id()');
    const ids = [null, Buffer.alloc(16, 7)].map((mac) => ({ mac, forgedId: `evt_${newUlid()}` }));
    for (const { mac, forgedId } of ids) await forge(mac, forgedId);
    for (const isRejected of [false, true]) {
      const whole = await ask({});
      const found = listKinds(whole.findings).map(([kind]) => kind);
      assert.deepEqual(found.toSorted(), ['INSERTED', 'INSERTED', 'RECORD_CHANGED', 'RECORD_CHANGED'], JSON.stringify(whole.findings));
      const { intact, records } = await ask({ records: [{ type: 'action', id }] });
      assert.deepEqual([intact, records[0].status], [false, 'CHANGED']);
      assert.equal((await governed.owner('GET', `/v1/actions/${id}/receipt`)).json.record.status, 'CHANGED');
      if (isRejected) break;
      await holder.query('rollback');
      await waitUntil('the sealer has rejected both', async () => {
        const { rows } = await owner.query('select count(*)::int as count from audit_rejected_events where event_id = any($1)', [
          ids.map(({ forgedId }) => forgedId),
        ]);
        return rows[0].count === 2;
      });
    }
    await owner.query('delete from audit_events where id = any($1)', [ids.map(({ forgedId }) => forgedId)]);
  });
  await holder.end();
  assert.equal((await verify()).intact, true);
});
