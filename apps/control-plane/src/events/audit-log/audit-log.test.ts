import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { leafHash } from '@svc/keyring/log/merkle.ts';
import { deriveKey, readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { createPlatformKey } from '@svc/keyring/sealed/platform-key.ts';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { TEST_MASTER_KEY } from '@svc/testing/database/master-key.ts';
import { authenticateEvents } from '@svc/testing/events/authenticate-events.ts';
import { longOnly } from '@svc/testing/length/test-length.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant, type Tenant } from '@svc/testing/people/tenant.ts';
import { getPlaneEnvironment, type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { type RunningProcess, startProcess } from '@svc/testing/processes/start-process.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import canonicalize from 'canonicalize';
import type pg from 'pg';

const require = createRequire(import.meta.url);
/** Checkpoints and proofs are checked by the client of another log. */
const { verifyCheckpoint } = require('@sigstore/verify/dist/tlog/checkpoint.js');
const { verifyMerkleInclusion } = require('@sigstore/verify/dist/tlog/merkle.js');

let planes: Planes;
let worker: RunningProcess;
let owner: pg.Client;
let tenant: Tenant;
before(async () => {
  const database = await createFreshDatabase();
  planes = await startPlanes({ gateways: 0, database });
  worker = await startProcess('apps/worker/src/main.ts', getPlaneEnvironment(database));
  owner = await database.client();
  tenant = await newTenant(planes);
});
after(async () => {
  await worker.stop();
  await owner.end();
  await planes.stop();
  await planes.database.drop();
});

const get = (path: string, token = tenant.token) => mustCall(planes.controlUrl, 'GET', path, { token });
const raw = (path: string) => fetch(`${planes.controlUrl}${path}`, { headers: { authorization: `Bearer ${tenant.token}` } });
const verify = (from = 0) =>
  mustCall(planes.controlUrl, 'POST', '/v1/audit-events/verify', { token: tenant.token, body: { from_sequence: from } });

/** Waits until every event of the organization is sealed; returns their number. */
const sealed = async (organizationId = tenant.organization_id): Promise<number> => {
  let count = -1;
  await waitUntil('every event is sealed', async () => {
    const { rows } = await owner.query<{ events: number; leaves: number }>(
      `select (select count(*)::int from audit_events where organization_id = $1) as events,
              (select count(*)::int from audit_leaves where organization_id = $1) as leaves`,
      [organizationId],
    );
    count = rows[0]?.leaves ?? 0;
    return rows[0]?.events === count;
  });
  return count;
};

/** Inserts many events of the organization. */
const fill = (count: number) =>
  authenticateEvents(owner, () =>
    owner.query(
      `insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data)
     select $1, 'evt_' || lpad(upper(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint)), 16, '0') || lpad(n::text, 10, '0'), 'action.allowed', now(),
            'AGENT', 'agt_1', 'action', 'act_' || n, 'info', 'req_1', 't', json_build_object('n', n) from generate_series(1, $2::int) n`,
      [tenant.organization_id, count],
    ),
  );

const getKey = (spki: string): KeyObject => createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' });

test('getAuditLog, getAuditLogCheckpoint, getAuditLogTile, getAuditLogTilePart and getAuditEventProof: clients of other logs verify what they read', async () => {
  const agent = await newAgent(tenant);
  await fill(700);
  const size = await sealed();
  const log = await get('/v1/audit-log');
  assert.equal(log.size, size);
  const [, id = ''] = log.keys[0].verifier_key.split('+');
  const checkpoint = await raw('/v1/audit-log/checkpoint');
  assert.equal(checkpoint.headers.get('content-type'), 'text/plain; charset=utf-8');
  const envelope = await checkpoint.text();
  const trusted = {
    logID: Buffer.concat([Buffer.from(id, 'hex'), Buffer.alloc(28)]),
    publicKey: getKey(log.keys[0].public_key),
    baseURL: log.origin,
  };
  const said = verifyCheckpoint({ inclusionProof: { checkpoint: { envelope } } }, [trusted]);
  assert.deepEqual([said.origin, said.logSize, said.logHash.toString('base64')], [log.origin, BigInt(size), log.root_hash]);
  // Read from the raw response: the test client omits members that the leaf covers.
  const { data } = JSON.parse(await (await raw(`/v1/audit-events?subject_id=${agent.id}`)).text());
  assert.ok(data.length > 0);
  for (const event of data) {
    assert.ok(Number.isInteger(event.sequence));
    const { sequence, ...rest } = event;
    const entry = canonicalize(rest) ?? '';
    const tile = Math.floor(sequence / 256);
    const width = Math.min(256, size - tile * 256);
    const address = `${String(tile).padStart(3, '0')}${width < 256 ? `.p/${width}` : ''}`;
    const hashes = Buffer.from(await (await raw(`/v1/audit-log/tile/0/${address}`)).arrayBuffer());
    assert.equal(hashes.length, width * 32);
    assert.deepEqual(hashes.subarray((sequence % 256) * 32, (sequence % 256) * 32 + 32), leafHash(entry));
    const proof = await get(`/v1/audit-events/${event.id}/proof`);
    assert.deepEqual([proof.sequence, proof.checkpoint, proof.leaf_hash], [sequence, envelope, leafHash(entry).toString('base64')]);
    verifyMerkleInclusion(
      {
        canonicalizedBody: Buffer.from(entry),
        inclusionProof: { logIndex: String(sequence), hashes: proof.inclusion_path.map((each: string) => Buffer.from(each, 'base64')) },
      },
      said,
    );
  }
});

test('getAuditLogTileFar, getAuditLogTileFarthest and the others find no tile that does not exist, is not full or has a malformed name', async () => {
  const size = await sealed();
  const width = size % 256;
  const last = String(Math.floor(size / 256)).padStart(3, '0');
  const found = [`0/${last}.p/${width}`, `0/${last}.p/1`, '0/000', `1/000.p/${Math.floor(size / 256)}`];
  for (const path of found) assert.equal((await raw(`/v1/audit-log/tile/${path}`)).status, 200, path);
  const missing = [
    `0/${last}`,
    `0/${last}.p/${width + 1}`,
    '0/0',
    '0/000.p/256',
    '0/000.p/0',
    '0/x000/000',
    '00/000',
    '64/000',
    '1/000',
    '0/x001/234',
  ];
  for (const path of [...missing, '0/x001/x234/567', '0/x001/x234/567.p/3', 'entries/000'])
    assert.equal((await raw(`/v1/audit-log/tile/${path}`)).status, 404, path);
});

test('getAuditLogConsistency proves that the earlier of two sizes is a prefix of the later, and refuses invalid sizes with their pointers', async () => {
  const size = await sealed();
  const told = await get(`/v1/audit-log/consistency?from=300&to=${size}`);
  assert.deepEqual([told.from, told.to], [300, size]);
  assert.ok(told.consistency_path.length > 0);
  const log = await get('/v1/audit-log');
  assert.equal(told.to_root_hash, log.root_hash);
  for (const [query, pointer] of [
    [`from=1&to=${size + 100_000}`, '/to'],
    ['from=5&to=4', '/from'],
  ]) {
    const refused = await call(planes.controlUrl, 'GET', `/v1/audit-log/consistency?${query}`, { token: tenant.token });
    assert.deepEqual([refused.status, refused.json.error.details.faults[0].pointer], [400, pointer]);
  }
});

test('listAuditCheckpoints lists the newest first, and none of another organization', async () => {
  await sealed();
  const { data } = await get('/v1/audit-events/checkpoints');
  const log = await get('/v1/audit-log');
  assert.equal(data[0].size, log.size);
  assert.ok(data.every(({ checkpoint }: { checkpoint: string }) => checkpoint.startsWith(`${log.origin}\n`)));
  const other = await newTenant(planes);
  const theirs = await get('/v1/audit-events/checkpoints', other.token);
  assert.ok(theirs.data.every(({ checkpoint }: { checkpoint: string }) => checkpoint.includes(other.organization_id)));
  const { data: events } = await get('/v1/audit-events?limit=1');
  const foreign = await call(planes.controlUrl, 'GET', `/v1/audit-events/${events[0].id}/proof`, { token: other.token });
  assert.equal(foreign.status, 404);
});

test('listAuditCheckpoints and getAuditLogCheckpoint state where a checkpoint is anchored, and return it with the line of its witness', async () => {
  const size = await sealed();
  const { checkpoint } = (await get('/v1/audit-events/checkpoints')).data[0];
  const line = '\u2014 witness.example/w1 AAAA\n';
  await owner.query(
    `insert into audit_anchored (organization_id, size, anchor, cosignature, anchored_at)
     values ($1, $2, 'file:0123456789ab', null, now() - interval '1 minute'), ($1, $2, 'witness:witness.example/w1', $3, now())`,
    [tenant.organization_id, size, line],
  );
  const { data } = await get('/v1/audit-events/checkpoints');
  assert.equal(data[0].checkpoint, checkpoint + line);
  assert.deepEqual(
    data[0].anchors.map(({ kind, witness }: { kind: string; witness: string | null }) => [kind, witness]),
    [
      ['FILE', null],
      ['WITNESS', 'witness.example/w1'],
    ],
  );
  assert.equal(await (await raw('/v1/audit-log/checkpoint')).text(), checkpoint + line);
  await owner.query('delete from audit_anchored');
});

test('verifyAuditEvents finds an unchanged record intact every time, and each verification is recorded', async () => {
  for (let n = 0; n < 2; n += 1) {
    await sealed();
    const told = await verify();
    assert.deepEqual([told.intact, told.findings, told.next_sequence], [true, [], null], JSON.stringify(told));
  }
  const { data } = await get('/v1/audit-events?type=audit.integrity_verified');
  assert.equal(data.length, 2);
  assert.deepEqual([data[0].data.intact, data[0].severity], [true, 'info']);
});

/** Tampering by the owner of the database, the statement that undoes it, and what the next verification reports. */
const TAMPERINGS: readonly (readonly [kind: string, act: string, undo: string])[] = [
  [
    'CHANGED',
    `update audit_events set data = '{"n":666}' where organization_id = $1 and subject_id = 'act_300'`,
    `update audit_events set data = '{"n":300}' where organization_id = $1 and subject_id = 'act_300'`,
  ],
  [
    'CHANGED',
    "update audit_events set occurred_at = occurred_at - interval '1 hour' where organization_id = $1 and subject_id = 'act_5'",
    "update audit_events set occurred_at = occurred_at + interval '1 hour' where organization_id = $1 and subject_id = 'act_5'",
  ],
  [
    'DELETED',
    "create table kept as select * from audit_events where organization_id = $1 and subject_id = 'act_301'; delete from audit_events where subject_id = 'act_301'",
    'insert into audit_events select * from kept where organization_id = $1; drop table kept',
  ],
  [
    'INSERTED',
    "insert into audit_events select (jsonb_populate_record(e, jsonb_build_object('id', left(id, -1) || 'Z', 'transaction_id', '0'))).* from audit_events e where organization_id = $1 and subject_id = 'act_302'",
    "delete from audit_events where organization_id = $1 and id like 'evt_%Z' and subject_id = 'act_302'",
  ],
  [
    'INSERTED',
    "insert into audit_events select (jsonb_populate_record(e, jsonb_build_object('id', left(id, -1) || 'Z', 'transaction_id', '9000000000000000'))).* from audit_events e where organization_id = $1 and subject_id = 'act_302'",
    "delete from audit_events where organization_id = $1 and id like 'evt_%Z' and subject_id = 'act_302'",
  ],
  // An event that was never sealed, with a leaf where the tree does not reach.
  ...[1_000_000, -1].map(
    (place) =>
      [
        'INSERTED',
        `insert into audit_events select (jsonb_populate_record(e, jsonb_build_object('id', left(id, -1) || 'Z', 'transaction_id', '0'))).* from audit_events e where organization_id = $1 and subject_id = 'act_302';
         insert into audit_leaves select organization_id, ${place}, id, sha256('made') from audit_events where organization_id = $1 and id like 'evt_%Z' and subject_id = 'act_302'`,
        `delete from audit_leaves where organization_id = $1 and leaf_index = ${place}; delete from audit_events where organization_id = $1 and id like 'evt_%Z' and subject_id = 'act_302'`,
      ] as const,
  ),
  [
    'MOVED',
    `update audit_leaves set event_id = event_id || '!' where organization_id = $1 and leaf_index in (40, 41);
     update audit_leaves l set event_id = k.event_id from kept_leaves k where l.organization_id = $1 and k.organization_id = $1 and l.leaf_index in (40, 41) and k.leaf_index = 81 - l.leaf_index`,
    `update audit_leaves set event_id = event_id || '!' where organization_id = $1 and leaf_index in (40, 41);
     update audit_leaves l set event_id = k.event_id from kept_leaves k where l.organization_id = $1 and k.organization_id = $1 and l.leaf_index in (40, 41) and k.leaf_index = l.leaf_index`,
  ],
  [
    'CUT',
    'delete from audit_leaves where organization_id = $1 and leaf_index = 120',
    'insert into audit_leaves select * from kept_leaves where organization_id = $1 and leaf_index = 120',
  ],
  [
    'LOG_CHANGED',
    'update audit_leaves set leaf_hash = sha256(leaf_hash) where organization_id = $1 and leaf_index = 7',
    'update audit_leaves l set leaf_hash = k.leaf_hash from kept_leaves k where l.organization_id = $1 and k.organization_id = $1 and k.leaf_index = 7 and l.leaf_index = 7',
  ],
  [
    'LOG_CHANGED',
    'update audit_trees set root_hash = set_byte(root_hash, 0, get_byte(root_hash, 0) # 1) where organization_id = $1',
    'update audit_trees set root_hash = set_byte(root_hash, 0, get_byte(root_hash, 0) # 1) where organization_id = $1',
  ],
  [
    'LOG_CHANGED',
    'update audit_checkpoints set root_hash = set_byte(root_hash, 0, get_byte(root_hash, 0) # 1) where organization_id = $1',
    'update audit_checkpoints set root_hash = set_byte(root_hash, 0, get_byte(root_hash, 0) # 1) where organization_id = $1',
  ],
  [
    'LOG_CHANGED',
    "update audit_leaves set leaf_hash = leaf_hash || '\\x00' where organization_id = $1 and leaf_index = 9",
    'update audit_leaves set leaf_hash = substring(leaf_hash from 1 for length(leaf_hash) - 1) where organization_id = $1 and leaf_index = 9',
  ],
  [
    'LOG_CHANGED',
    "update audit_trees set root_hash = root_hash || '\\x00' where organization_id = $1",
    'update audit_trees set root_hash = substring(root_hash from 1 for length(root_hash) - 1) where organization_id = $1',
  ],
  [
    'LOG_CHANGED',
    "update audit_trees set edge = edge || '\\x00' where organization_id = $1",
    'update audit_trees set edge = substring(edge from 1 for length(edge) - 1) where organization_id = $1',
  ],
  [
    'LOG_CHANGED',
    "update audit_checkpoints set root_hash = root_hash || '\\x00' where organization_id = $1",
    'update audit_checkpoints set root_hash = substring(root_hash from 1 for length(root_hash) - 1) where organization_id = $1',
  ],
  [
    'LOG_CHANGED',
    'update audit_trees set size = size - 1 where organization_id = $1',
    'update audit_trees set size = size + 1 where organization_id = $1',
  ],
  [
    'LOG_CHANGED',
    'create table kept as select * from audit_trees where organization_id = $1; delete from audit_trees where organization_id = $1',
    'insert into audit_trees select * from kept where organization_id = $1; drop table kept',
  ],
  [
    'CHANGED',
    "update audit_events set occurred_at = occurred_at + interval '7 microseconds' where organization_id = $1 and subject_id = 'act_7'",
    "update audit_events set occurred_at = occurred_at - interval '7 microseconds' where organization_id = $1 and subject_id = 'act_7'",
  ],
  ...['announced_leaves', 'removed_leaves', 'keep_days'].map(
    (column) =>
      [
        'LOG_CHANGED',
        `insert into audit_retention (organization_id, keep_days) values ($1, null); update audit_retention set ${column} = 200 where organization_id = $1`,
        'delete from audit_retention where organization_id = $1',
      ] as const,
  ),
  ...[
    "audit_anchored (organization_id, size, anchor) values ($1, 1000000, 'file:0123456789ab')",
    "audit_anchorings (organization_id, size, anchor, next_at) values ($1, 1000000, 'file:0123456789ab', now())",
    "covered_records (organization_id, record_type, record_id, event_id) values ($1, 'agent', 'agt_lost', 'evt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ')",
  ].map(
    (row) =>
      [
        'LOG_CHANGED',
        `insert into ${row}`,
        row.startsWith('covered_records')
          ? "delete from covered_records where organization_id = $1 and record_id = 'agt_lost'"
          : `delete from ${row.split(' ')[0]} where organization_id = $1`,
      ] as const,
  ),
  // No worker runs, so the event waits as if it was written after the last seal.
  [
    'INSERTED',
    `create table kept_position as select * from feed_positions where consumer = 'seal-events'; update feed_positions set transaction_id = '0', id = '' where consumer = 'seal-events';
     insert into audit_events select (jsonb_populate_record(e, jsonb_build_object('id', left(id, -1) || 'Z', 'transaction_id', pg_current_xact_id()::text))).* from audit_events e where organization_id = $1 and subject_id = 'act_302'`,
    `delete from audit_events where organization_id = $1 and id like 'evt_%Z' and subject_id = 'act_302';
     update feed_positions p set transaction_id = k.transaction_id, id = k.id from kept_position k where p.consumer = k.consumer; drop table kept_position`,
  ],
  [
    'LOG_CHANGED',
    'update audit_trees set held_since = now() where organization_id = $1',
    'update audit_trees set held_since = null where organization_id = $1',
  ],
];

test('the next verification reports what the owner of the database changed in sealed rows, and where', async () => {
  await sealed();
  await worker.stop();
  await owner.query('create table kept_leaves as select * from audit_leaves');
  for (const [kind, act, undo] of TAMPERINGS) {
    for (const statement of act.split(';')) await owner.query(statement, statement.includes('$1') ? [tenant.organization_id] : []);
    const told = await verify();
    assert.equal(told.intact, false, act);
    assert.ok(
      told.findings.some((finding: { kind: string }) => finding.kind === kind),
      `${act}: ${JSON.stringify(told.findings)}`,
    );
    for (const statement of undo.split(';')) await owner.query(statement, statement.includes('$1') ? [tenant.organization_id] : []);
    const healed = await verify();
    assert.deepEqual(healed.findings, [], act);
  }
  worker = await startProcess('apps/worker/src/main.ts', getPlaneEnvironment(planes.database));
  await sealed();
  assert.equal((await verify()).intact, true);
  const { data } = await get('/v1/audit-events?type=audit.integrity_verified&severity=critical');
  assert.equal(data.length, TAMPERINGS.length);
});

test('verifyAuditEvents compares checkpoints that a caller kept with the log', async () => {
  await sealed();
  const { checkpoint } = await verify();
  await fill(3);
  await sealed();
  const compare = async (...checkpoints: string[]): Promise<{ intact: boolean; findings: { says: string }[] }> =>
    await mustCall(planes.controlUrl, 'POST', '/v1/audit-events/verify', { token: tenant.token, body: { checkpoints } });
  assert.equal((await compare(checkpoint, `${checkpoint}\u2014 witness.example/w1 AAAA\n`)).intact, true);
  const now = (await verify()).checkpoint;
  const size = Number(now.split('\n')[1]);
  await worker.stop();
  await owner.query('create table kept_trees as select * from audit_trees where organization_id = $1', [tenant.organization_id]);
  await owner.query("update audit_trees set held_since = null, size = 0, root_hash = sha256(''), edge = '' where organization_id = $1", [
    tenant.organization_id,
  ]);
  const { findings } = await compare(now);
  assert.ok(
    findings.some(({ says }) => says.startsWith(`The log was rolled back or truncated: your checkpoint is of ${size} leaves`)),
    JSON.stringify(findings),
  );
  await owner.query('delete from audit_trees where organization_id = $1', [tenant.organization_id]);
  await owner.query('insert into audit_trees select * from kept_trees; drop table kept_trees');
  for (const strange of ['no note', now.replace(/\n\d+\n/, '\n7\n')])
    assert.match(
      (await compare(strange)).findings[0]?.says ?? '',
      /^The checkpoint 1 of your request is not signed by a key of this log\./,
    );
  worker = await startProcess('apps/worker/src/main.ts', getPlaneEnvironment(planes.database));
  await sealed();
  const refused = await call(planes.controlUrl, 'POST', '/v1/audit-events/verify', {
    token: tenant.token,
    body: { checkpoints: ['x'.repeat(9_000)] },
  });
  assert.deepEqual([refused.status, refused.json.error.details.faults[0].pointer], [400, '/checkpoints/0']);
});

const root = path.resolve(import.meta.dirname, '../../../../..');
type Ended = { readonly code: number; readonly out: string; readonly errors: string };
const admin = (...words: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...process.env, DATABASE_URL: planes.database.url, SVC_MASTER_KEY: TEST_MASTER_KEY };
    execFile(process.execPath, [path.join(root, 'apps/launcher/src/admin.ts'), ...words], { cwd: root, env }, (error, out, errors) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, errors }),
    );
  });
const lift = () => admin('lift-audit-log', tenant.organization_id, '--reason', 'A disk lied.');
/** Lets the sealer detect a changed tree. */
const held = async (): Promise<void> => {
  await fill(3);
  await waitUntil('the log is held', async () => (await get('/v1/audit-log')).held_since !== null);
};
const told = async (name: string) =>
  (await get('/v1/audit-events?type=audit.integrity_verified&severity=critical')).data.filter(
    (event: { data: object }) => name in event.data,
  );
const bendEdge = () =>
  owner.query("update audit_trees set edge = overlay(edge placing '\\x00ff00' from 3) where organization_id = $1", [
    tenant.organization_id,
  ]);

test('a held log is recorded and reported to the operator, and continues after its signed content is restored', longOnly, async () => {
  const before = await sealed();
  assert.match((await admin('audit-logs')).out, /^No audit log is held/);
  assert.match((await lift()).errors, /stays held:\n {2}The log is not held\./);
  const { rows } = await owner.query('select * from audit_events where organization_id = $1 and subject_id = $2', [
    tenant.organization_id,
    'act_300',
  ]);
  const change = (data: object) =>
    owner.query('update audit_events set data = $1 where organization_id = $2 and id = $3', [data, tenant.organization_id, rows[0].id]);
  await change({ n: 666 });
  await bendEdge();
  await held();
  await waitUntil('it is told in the record', async () => (await told('held_since')).length === 1);
  const listed = await admin('audit-logs');
  assert.ok(listed.out.startsWith(`${tenant.organization_id}  held since `), listed.out + listed.errors);
  assert.match(listed.out, /was changed after it was sealed\.\n {2}Restore/);
  const refused = await lift();
  assert.deepEqual([refused.code, refused.out], [1, '']);
  await change(rows[0].data);
  assert.match((await admin('audit-logs')).out, /matches the signed log again\. Run lift-audit-log/);
  assert.equal((await admin('lift-audit-log', tenant.organization_id)).code, 2, 'says why');
  const lifted = await lift();
  assert.equal(lifted.code, 0, lifted.errors);
  assert.match(lifted.out, new RegExp(`All ${before} leaves`));
  assert.ok((await sealed()) > before + 3);
  const { intact, findings } = await verify();
  assert.deepEqual([intact, findings], [true, []]);
  const [event] = await told('sealed_late');
  assert.deepEqual(
    [event.data.by, event.data.reason, event.data.tree_size, event.actor.id, event.data.sealed_late >= 3],
    ['OPERATOR', 'A disk lied.', before, 'admin', true],
  );
  assert.equal((await told('held_since')).length, 2);
});

test('an event with an id of another year because of a wrong clock does not hide an insertion, and is not mistaken for one', async () => {
  const write = (id: string, columns: string, values: string) =>
    authenticateEvents(owner, () =>
      owner.query(
        `insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data${columns})
       values ($1, $2, 'action.allowed', now(), 'AGENT', 'agt_1', 'action', 'act_1', 'info', 'req_1', 't', '{}'${values})`,
        [tenant.organization_id, id],
      ),
    );
  await write('evt_ZZZZZZZZZZZZZZZZZZZZZZZZZZ', '', '');
  await sealed();
  assert.deepEqual((await verify()).findings, []);
  await write('evt_7ZZZZZZZZZZZZZZZZZZZZZZZZY', ', transaction_id', ", '0'");
  const { findings } = await verify();
  assert.deepEqual(
    findings.map(({ kind, event_id }: { kind: string; event_id: string }) => [kind, event_id]),
    [['INSERTED', 'evt_7ZZZZZZZZZZZZZZZZZZZZZZZZY']],
  );
  await owner.query("delete from audit_events where id = 'evt_7ZZZZZZZZZZZZZZZZZZZZZZZZY'");
});

test('the next verification finds what was inserted after the end of the previous one', async () => {
  assert.ok((await sealed()) > 512);
  const { rows } = await owner.query<{ id: string }>(
    `insert into audit_events select (jsonb_populate_record(e, jsonb_build_object('id', e.id || '0', 'transaction_id', '0'))).* from audit_events e
       join audit_leaves l on l.organization_id = e.organization_id and l.event_id = e.id
      where e.organization_id = $1 and l.leaf_index = 255 returning id`,
    [tenant.organization_id],
  );
  const { findings } = await verify(256);
  assert.deepEqual(
    findings.map(({ kind, event_id }: { kind: string; event_id: string }) => [kind, event_id]),
    [['INSERTED', rows[0]?.id]],
  );
  await owner.query('delete from audit_events where id = $1', [rows[0]?.id]);
});

test('a retired key stays published, so that checkpoints that it signed can be verified', async () => {
  const masterKey = readMasterKey(TEST_MASTER_KEY);
  assert.ok(masterKey.ok);
  const made = createPlatformKey(deriveKey(masterKey.key, 'platform-key-wrapping'));
  await owner.query(
    'insert into platform_keys (key_id, public_key, private_key_sealed, created_at, retired_at) values ($1, $2, $3, $4, $4)',
    [made.kid, made.public_key, made.sealed_private_key, '2024-01-01T00:00:00Z'],
  );
  const other = await startPlanes({ gateways: 0, database: planes.database });
  const { keys } = await mustCall(other.controlUrl, 'GET', '/v1/audit-log', { token: tenant.token });
  await other.stop();
  assert.deepEqual(
    keys.map(({ key_id, retired_at }: { key_id: string; retired_at: string | null }) => [key_id === made.kid, retired_at]),
    [
      [false, null],
      [true, '2024-01-01T00:00:00.000Z'],
    ],
  );
});

test('a log signed by a key that was created after the start is intact, and the key is published', longOnly, async () => {
  const masterKey = readMasterKey(TEST_MASTER_KEY);
  assert.ok(masterKey.ok);
  const next = createPlatformKey(deriveKey(masterKey.key, 'platform-key-wrapping'));
  const { keys: before } = await get('/v1/audit-log');
  await owner.query('update platform_keys set retired_at = now() where retired_at is null');
  await owner.query('insert into platform_keys (key_id, public_key, private_key_sealed) values ($1, $2, $3)', [
    next.kid,
    next.public_key,
    next.sealed_private_key,
  ]);
  await worker.stop();
  worker = await startProcess('apps/worker/src/main.ts', getPlaneEnvironment(planes.database));
  await fill(3);
  await sealed();
  assert.deepEqual((await verify()).findings, []);
  const { keys } = await get('/v1/audit-log');
  assert.deepEqual([keys[0].key_id, keys[0].retired_at], [next.kid, null]);
  assert.equal(keys.length, before.length + 1);
});

test('nothing is signed on a log without its signed end: it stays held, and states what to restore', async () => {
  const size = await sealed();
  const kept = await owner.query('select * from audit_trees where organization_id = $1', [tenant.organization_id]);
  const id = tenant.organization_id;
  await owner.query("update audit_trees set checkpoint = replace(checkpoint, ' ', '  ') where organization_id = $1", [id]);
  await held();
  assert.match(
    (await lift()).errors,
    new RegExp(`There are ${size} leaves, but the largest remaining checkpoint has \\d+\\. Restore audit_trees`),
  );
  await owner.query('create table gone as select * from audit_leaves where organization_id = $1 and leaf_index > 0', [id]);
  await owner.query('delete from audit_leaves where organization_id = $1 and leaf_index > 0', [id]);
  assert.match((await lift()).errors, /has \d+ signed leaves, but only 1 remain\. Restore audit_leaves/);
  await owner.query('insert into audit_anchorings (organization_id, anchor, size, next_at) values ($1, $2, $3, now())', [
    id,
    'file:x',
    size,
  ]);
  assert.match((await lift()).errors, new RegExp(`A checkpoint of ${size} leaves is anchored externally`));
  await owner.query('delete from audit_anchorings');
  await owner.query('insert into audit_leaves select * from gone; drop table gone');
  await owner.query('update audit_trees set checkpoint = $2 where organization_id = $1', [id, kept.rows[0].checkpoint]);
  assert.equal((await lift()).code, 0);
  await sealed();
  assert.equal((await verify()).intact, true);
});
