import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getLogOrigin } from '@svc/keyring/log/audit-log.ts';
import { nextHistory } from '@svc/keyring/log/checkpoint-chain.ts';
import { computeRoot, EMPTY_TREE, growTree } from '@svc/keyring/log/merkle.ts';
import { signCheckpoint } from '@svc/keyring/log/signed-note.ts';
import { connect, type Database } from '@svc/postgres/connection/connect.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { keepLog } from '@svc/testing/logs/keep-log.ts';
import { LOG_INSTALLATION, newSealedLog, type SealedLog } from '@svc/testing/logs/sealed-log.ts';
import type pg from 'pg';
import { type AuditedLog, type LogReader, verifyLog } from './verify-log.ts';

const EVERY_SECONDS = 600;
const BEGAN_MS = Date.parse('2026-03-01T12:00:00.123Z');

let database: FreshDatabase;
let owner: pg.Client;
let app: Database;
before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  app = connect({ url: database.url, role: 'svc_app', ...testLogin('svc_app'), connectionsMax: 1, timeoutMs: 20_000 });
});
after(async () => {
  await app.destroy();
  await owner.end();
  await database.drop();
});

/**
 * Stores a log whose checkpoints of each of these sizes were signed at these minutes, linked like the sealer's; the last one is that of its
 * tree.
 */
const keepChained = async (
  sealed: SealedLog,
  signed: readonly (readonly [size: number, minute: number])[],
  first?: string,
): Promise<void> => {
  let note = first;
  for (const [size, minute] of signed) {
    const nowMs = BEGAN_MS + minute * 60_000;
    const history = nextHistory(note, nowMs, EVERY_SECONDS);
    const root = computeRoot(growTree(EMPTY_TREE, sealed.hashes.slice(0, size)));
    note = signCheckpoint({ origin: getLogOrigin(LOG_INSTALLATION, sealed.organizationId), size, root, history }, sealed.key.privateKey);
    if (history.kind === 'kept')
      await owner.query(
        'insert into audit_checkpoints (organization_id, size, root_hash, note, created_at) values ($1, $2, $3, $4, $5::timestamptz)',
        [sealed.organizationId, size, root, note, history.at],
      );
  }
  await keepLog(owner, sealed, signed.at(-1)?.[0]);
  await owner.query('update audit_trees set checkpoint = $2 where organization_id = $1', [sealed.organizationId, note]);
};

const CHAINED = [
  ...([10, 20, 30, 40, 50].map((size, n) => [size, n * 10] as const) satisfies (readonly [number, number])[]),
  [55, 43] as const,
];

const newChained = async () => {
  const sealed = newSealedLog(60);
  await keepChained(sealed, CHAINED);
  const log: AuditedLog = { organizationId: sealed.organizationId, installationId: LOG_INSTALLATION, keys: [sealed.key.publicKey] };
  const read: LogReader = (work) => readInTenant(app, { organization_id: sealed.organizationId }, work);
  /** None of its events exists here: each is reported as deleted, and this test is about the log. */
  const verify = async (from = 0, checkpoints: readonly string[] = []) => {
    const { findings, checkpoints: counts } = await verifyLog(read, log, from, { checkpoints });
    return { counts, says: findings.flatMap(({ kind, says, sequence }) => (kind === 'LOG_CHANGED' ? [`${sequence}: ${says}`] : [])) };
  };
  return { sealed, verify };
};

test('unchanged past checkpoints are linked, and those of earlier releases and of anchors are not', async () => {
  const { sealed, verify } = await newChained();
  assert.deepEqual(await verify(), { counts: { linked: 5, not_linked: 0 }, says: [] });
  const unlinked = sealed.checkpointOf(7);
  await owner.query('insert into audit_checkpoints (organization_id, size, root_hash, note) values ($1, 7, $2, $3)', [
    sealed.organizationId,
    computeRoot(growTree(EMPTY_TREE, sealed.hashes.slice(0, 7))),
    unlinked,
  ]);
  assert.deepEqual(await verify(), { counts: { linked: 5, not_linked: 1 }, says: [] });
});

test('a log that begins its chain after an upgrade reports its older checkpoints as not linked', async () => {
  const sealed = newSealedLog(60);
  await keepChained(
    sealed,
    [
      [30, 0],
      [40, 1],
    ],
    sealed.checkpointOf(20),
  );
  await owner.query('insert into audit_checkpoints (organization_id, size, root_hash, note) values ($1, 20, $2, $3)', [
    sealed.organizationId,
    computeRoot(growTree(EMPTY_TREE, sealed.hashes.slice(0, 20))),
    sealed.checkpointOf(20),
  ]);
  const log = { organizationId: sealed.organizationId, installationId: LOG_INSTALLATION, keys: [sealed.key.publicKey] };
  const read: LogReader = (work) => readInTenant(app, { organization_id: sealed.organizationId }, work);
  const { findings, checkpoints } = await verifyLog(read, log, 0);
  assert.deepEqual(checkpoints, { linked: 1, not_linked: 1 });
  assert.deepEqual(
    findings.filter(({ kind }) => kind === 'LOG_CHANGED'),
    [],
  );
});

/** Changes by the owner of the database, and the finding. */
const CHANGES: readonly (readonly [act: string, says: RegExp])[] = [
  ['delete from audit_checkpoints where organization_id = $1 and size = 30', /^20: Checkpoint 3 was deleted/],
  ['delete from audit_checkpoints where organization_id = $1 and size in (20, 30)', /^10: Checkpoints 2 to 3 were deleted/],
  ['delete from audit_checkpoints where organization_id = $1 and size = 50', /^40: Checkpoint 5 was deleted/],
  ['delete from audit_checkpoints where organization_id = $1 and size = 10', /^null: Checkpoint 1 was deleted/],
  ['delete from audit_checkpoints where organization_id = $1', /^null: Checkpoints 1 to 5 were deleted/],
  [
    "update audit_checkpoints set created_at = created_at - interval '1 day' where organization_id = $1 and size = 20",
    /^20: Checkpoint 2 was dated 2026-02-28T12:10:00\.123000Z: it was signed at 2026-03-01T12:10:00\.123000Z/,
  ],
  [
    "update audit_checkpoints set created_at = created_at + interval '1 microsecond' where organization_id = $1 and size = 50",
    /^50: Checkpoint 5 was dated 2026-03-01T12:40:00\.123001Z/,
  ],
  ['update audit_checkpoints set root_hash = sha256(root_hash) where organization_id = $1 and size = 40', /^40: Checkpoint 4 was changed/],
  [
    "update audit_checkpoints set root_hash = root_hash || '\\x00' where organization_id = $1 and size = 40",
    /^40: Checkpoint 4 was changed/,
  ],
  [
    'update audit_checkpoints set size = 41 where organization_id = $1 and size = 40',
    /^41: Checkpoint 4 was changed: its row states 41 leaves/,
  ],
  [
    "update audit_checkpoints set note = replace(note, 'kept 4 ', 'kept 3 ') where organization_id = $1 and size = 40",
    /^30: Checkpoint 4 was deleted/,
  ],
  [
    "update audit_checkpoints set note = '' where organization_id = $1 and size = 40",
    /: The log has not signed the checkpoint of 40 leaves/,
  ],
  [
    'update audit_checkpoints c set note = o.note, root_hash = o.root_hash from audit_checkpoints o where c.organization_id = $1 and c.size = 40 and o.organization_id = $1 and o.size = 20',
    /^40: Checkpoint 4 was deleted|^40: Checkpoints 3 to 4 were deleted/,
  ],
];

test('a past checkpoint that is deleted, redated, changed or replaced is found with its number', async () => {
  for (const [act, says] of CHANGES) {
    const { sealed, verify } = await newChained();
    const { rowCount } = await owner.query(act, [sealed.organizationId]);
    assert.ok((rowCount ?? 0) > 0, act);
    const told = await verify();
    assert.ok(
      told.says.some((each) => says.test(each)),
      `${act}: ${JSON.stringify(told)}`,
    );
  }
});

test('a verification that begins after the first leaf also compares the newest checkpoints', async () => {
  const { sealed, verify } = await newChained();
  await owner.query('delete from audit_checkpoints where organization_id = $1 and size = 50', [sealed.organizationId]);
  const { says } = await verify(256);
  assert.match(says.join('\n'), /Checkpoint 5 was deleted/);
});
