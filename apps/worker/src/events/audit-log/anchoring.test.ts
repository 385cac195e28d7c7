import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { getLogOrigin } from '@svc/keyring/log/audit-log.ts';
import { computeRoot, EMPTY_TREE, growTree } from '@svc/keyring/log/merkle.ts';
import { openCheckpoint } from '@svc/keyring/log/signed-note.ts';
import { connect, type Database } from '@svc/postgres/connection/connect.ts';
import { readWitness } from '@svc/program/settings/witness.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { keepLog } from '@svc/testing/logs/keep-log.ts';
import { LOG_INSTALLATION, type LogKey, newLogKey, newSealedLog, type SealedLog } from '@svc/testing/logs/sealed-log.ts';
import { BUCKET_REGION, type BucketPeer, startBucket } from '@svc/testing/peers/bucket.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@svc/testing/peers/webhook-receiver.ts';
import { startWitness, type WitnessManner, type WitnessPeer } from '@svc/testing/peers/witness.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';
import { pino } from 'pino';
import type { AnchorSettings } from '../../settings/anchor-settings.ts';
import type { SignedLog } from './anchoring/anchor.ts';
import { newFileAnchor } from './anchoring/places/file.ts';
import { type Anchoring, openAnchoring } from './open-anchoring.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'anchoring-'));
const key: LogKey = newLogKey();
let database: FreshDatabase;
let owner: pg.Client;
let reader: Database;
let receiver: WebhookReceiver;
let witness: WitnessPeer;
let running: Anchoring | undefined;
let lines: string[] = [];
before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  reader = connect({ url: database.url, role: 'svc_reader', ...testLogin('svc_reader'), connectionsMax: 2, timeoutMs: 20_000 });
  receiver = await startWebhookReceiver();
});
beforeEach(async () => {
  await owner.query('truncate audit_leaves, audit_tiles, audit_trees, audit_checkpoints, audit_anchored, audit_anchorings');
  witness = await startWitness();
  lines = [];
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  await witness.close();
});
after(async () => {
  await receiver.close();
  await reader.destroy();
  await owner.end();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const anchor = (anchors: Partial<AnchorSettings>): Anchoring => {
  running = openAnchoring({
    settings: {
      anchors: { file: undefined, url: undefined, bucket: undefined, witnesses: [], everySeconds: 0, ...anchors },
      egress: { allowCidrs: [], nameServers: [] },
    },
    ...{ reader, installationId: LOG_INSTALLATION, keys: () => [key.publicKey], clock: () => new Date() },
    ...{ lookEveryMs: 20, watchEveryMs: 20 },
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
  });
  return running;
};
const theWitness = () => {
  const read = readWitness(`${witness.verifierKey} ${witness.url}`);
  assert.ok(typeof read === 'object', String(read));
  return { witnesses: [read] };
};
const originOfLog = ({ organizationId }: SealedLog): string => getLogOrigin(LOG_INSTALLATION, organizationId);
type Row = { readonly size: string; readonly reason: string | null; readonly conflict: boolean; readonly failures: number };
const readState = async ({ organizationId }: SealedLog): Promise<Row | undefined> =>
  (
    await owner.query<Row>(
      'select size, reason, failures, conflict_since is not null as conflict from audit_anchorings where organization_id = $1',
      [organizationId],
    )
  ).rows[0];
const anchoredAt = (log: SealedLog, size: number) =>
  waitUntil(`${size} leaves are anchored`, async () => Number((await readState(log))?.size) === size);
/** Asserts that an attempt did not anchor; returns the row. */
const refused = async (log: SealedLog, reason: RegExp): Promise<Row> => {
  let row: Row | undefined;
  await waitUntil(`it is told: ${reason}`, async () => {
    row = await readState(log);
    return reason.test(row?.reason ?? '');
  });
  return row as Row;
};
const again = () => owner.query('update audit_anchorings set next_at = now()');
const sample = (name: string) => running?.metrics.find((metric) => metric.name === name)?.samples()[0]?.value;

describe('a file', () => {
  let n = 0;
  const newFile = () => path.join(folder, `checkpoints-${++n}.txt`);
  const readNotes = (file: string) => readFileSync(file, 'utf8').match(/[^\n]+\n\d+\n[^\n]+\n(?:[^\n]+\n)?\n\u2014 [^\n]+\n/g) ?? [];

  test('contains every anchored checkpoint of every log, whole and signed, and is append-only', async () => {
    const [file, logs] = [newFile(), [newSealedLog(30, key), newSealedLog(300, key)]];
    for (const log of logs) await keepLog(owner, log, 20);
    anchor({ file });
    for (const log of logs) await anchoredAt(log, 20);
    const first = readFileSync(file, 'utf8');
    for (const log of logs) await keepLog(owner, log);
    for (const log of logs) await anchoredAt(log, log.events.length);
    assert.ok(readFileSync(file, 'utf8').startsWith(first));
    const sizes = readNotes(file).map((note) => openCheckpoint(note, [key.publicKey])?.size);
    assert.deepEqual(sizes.toSorted(), [20, 20, 30, 300].toSorted());
    const { rows } = await owner.query('select size::int, anchor from audit_anchored order by 1');
    assert.deepEqual(
      rows.map(({ size }) => size),
      [20, 20, 30, 300],
    );
    assert.ok(rows.every(({ anchor: name }) => /^file:[0-9a-f]{12}$/.test(name)));
  });

  test('reports a log that was rolled back, and one that was rewritten and longer, also to a worker started later', async () => {
    const [file, log] = [newFile(), newSealedLog(40, key)];
    await keepLog(owner, log);
    anchor({ file });
    await anchoredAt(log, 40);
    await running?.stop();
    await owner.query('truncate audit_anchorings');
    await keepLog(owner, log, 25);
    anchor({ file });
    assert.equal((await refused(log, /40 leaves, but the log has 25: it was rolled back/)).conflict, true);
    await waitUntil('a metric tells', () => sample('svc_audit_anchor_conflicts') === 1);
    assert.ok(lines.some((line) => /"level":50.*differs from its external anchor/.test(line)));
    // Signed again with the same key: forty leaves of another past, and twenty more.
    await keepLog(owner, newSealedLog(60, key, {}, log.organizationId));
    await again();
    await refused(log, /another checkpoint with 40 leaves: the log was rewritten/);
    assert.equal(readNotes(file).length, 1);
  });

  test('is read again before each checkpoint, so that a worker sees additions by others and removals', async () => {
    const [file, log] = [newFile(), newSealedLog(40, key)];
    const [one, other] = [newFileAnchor('file', file), newFileAnchor('file', file)];
    const at = (size: number): SignedLog => ({
      ...{ organizationId: log.organizationId, origin: originOfLog(log), size, anchored: 0, note: log.checkpointOf(size) },
      root: computeRoot(growTree(EMPTY_TREE, log.hashes.slice(0, size))),
      rootAt: async (earlier) => computeRoot(growTree(EMPTY_TREE, log.hashes.slice(0, earlier))),
      prove: async () => [],
    });
    assert.deepEqual(await one.place(at(10)), { kind: 'placed' });
    assert.deepEqual(await other.place(at(20)), { kind: 'placed' });
    const told = await one.place(at(15));
    assert.match('reason' in told ? told.reason : '', /20 leaves, but the log has 15: it was rolled back/);
    truncateSync(file);
    assert.deepEqual(await one.place(at(20)), { kind: 'placed' });
    assert.equal(readNotes(file).length, 1);
  });

  test('that is full, missing or no file fails with a reason, and a partial write hides nothing', async () => {
    const log = newSealedLog(5, key);
    const [missing, fifoLike] = [path.join(folder, 'none', 'x.txt'), path.join(folder, 'a-folder')];
    mkdirSync(fifoLike);
    symlinkSync('/dev/full', path.join(folder, 'full'));
    await keepLog(owner, log);
    for (const [file, reason] of [
      [missing, /could not be written \(ENOENT\)/],
      [fifoLike, /could not be written \(EISDIR\)/],
      [path.join(folder, 'full'), /is not a regular file/],
    ] as const) {
      anchor({ file });
      await refused(log, reason);
      await running?.stop();
      await owner.query('truncate audit_anchorings');
    }
    const file = newFile();
    const torn = log.checkpointOf(5).slice(0, -40);
    writeFileSync(file, torn);
    anchor({ file });
    await anchoredAt(log, 5);
    assert.equal(readFileSync(file, 'utf8'), `${torn}\n${log.checkpointOf(5)}`);
  });
});

describe('an HTTP endpoint', () => {
  test('gets the signed note, one per log at a time, without waiting for others', async () => {
    const logs = [newSealedLog(7, key), newSealedLog(8, key)];
    for (const log of logs) await keepLog(owner, log);
    anchor({ url: receiver.url('takes', 'endpoint') });
    for (const log of logs) await anchoredAt(log, log.events.length);
    const received = receiver.of('endpoint');
    assert.deepEqual(received.map(({ body }) => body).toSorted(), logs.map((log) => log.checkpointOf(log.events.length)).toSorted());
    assert.ok(received.every(({ headers }) => headers['content-type'] === 'text/plain; charset=utf-8'));
  });

  test('that refuses or redirects is retried with backoff, and reported by the log and a metric', async () => {
    const log = newSealedLog(7, key);
    await keepLog(owner, log);
    anchor({ url: receiver.url('redirects', 'moved') });
    await refused(log, /307, a redirect/);
    assert.equal(receiver.of('redirected').length, 0);
    receiver.take('moved', 'rejects');
    await again();
    assert.equal((await refused(log, /returned 500/)).failures, 2);
    const { rows } = await owner.query("select next_at > now() + interval '3 seconds' as waits from audit_anchorings");
    assert.deepEqual(rows, [{ waits: true }]);
    await waitUntil('a metric tells', () => Number(sample('svc_audit_anchor_failing_seconds')) > 0);
    receiver.take('moved', 'takes');
    await again();
    await anchoredAt(log, 7);
    assert.ok(lines.some((line) => line.includes(log.organizationId) && /will be retried/.test(line)));
  });

  test('gets nothing that the log has not signed as stored', async () => {
    const [forged, grown, other] = [newSealedLog(7), newSealedLog(7, key), newSealedLog(7, key)];
    await keepLog(owner, forged);
    await keepLog(owner, grown);
    await keepLog(owner, other);
    await owner.query('update audit_trees set size = 9 where organization_id = $1', [grown.organizationId]);
    await owner.query('update audit_trees set checkpoint = $2 where organization_id = $1', [other.organizationId, grown.checkpointOf(7)]);
    anchor({ url: receiver.url('takes', 'forged') });
    for (const log of [forged, grown, other]) await refused(log, /stored checkpoint was not signed/);
    assert.equal(receiver.of('forged').length, 0);
  });
});

describe('a bucket', () => {
  let store: BucketPeer;
  before(async () => {
    store = await startBucket();
  });
  beforeEach(() => {
    store.objects.clear();
    store.manner.of = 'stores';
  });
  after(() => store.close());
  const theBucket = (more: object = {}) => {
    const { accessKeyId, secretAccessKey } = store;
    return { bucket: { url: `${store.url}/bucket/notes`, region: BUCKET_REGION, accessKeyId, secretAccessKey, ...more } };
  };

  test('has an object for each checkpoint, signed with AWS Signature Version 4, and none is written twice', async () => {
    const log = newSealedLog(30, key);
    await keepLog(owner, log, 12);
    anchor(theBucket());
    await anchoredAt(log, 12);
    await keepLog(owner, log);
    await anchoredAt(log, 30);
    const at = (size: number) => `/bucket/notes/${originOfLog(log)}/${String(size).padStart(16, '0')}`;
    assert.deepEqual(
      [...store.objects],
      [12, 30].map((size) => [at(size), log.checkpointOf(size)]),
    );
  });

  test('that has the checkpoint already is accepted, and one with another of the size shows that the log was rewritten', async () => {
    const log = newSealedLog(30, key);
    await keepLog(owner, log);
    store.manner.of = 'loses its answer';
    anchor(theBucket());
    await refused(log, /closed the connection/);
    store.manner.of = 'stores';
    await again();
    await anchoredAt(log, 30);
    await running?.stop();
    await owner.query('truncate audit_anchorings');
    await keepLog(owner, newSealedLog(30, key, {}, log.organizationId));
    anchor(theBucket());
    assert.equal((await refused(log, /another checkpoint with 30 leaves: the log was rewritten/)).conflict, true);
    assert.equal([...store.objects.values()][0], log.checkpointOf(30));
  });

  test('that redirects, supports no conditions or does not know the key fails with a reason, and is not followed', async () => {
    const log = newSealedLog(3, key);
    await keepLog(owner, log);
    for (const [manner, reason] of [
      ['redirects', /307, a redirect/],
      ['takes no conditions', /does not support conditional writes/],
    ] as const) {
      store.manner.of = manner;
      anchor(theBucket());
      await refused(log, reason);
      await running?.stop();
      await owner.query('truncate audit_anchorings');
    }
    store.manner.of = 'stores';
    anchor(theBucket({ secretAccessKey: 'another' }));
    await refused(log, /rejected the access key/);
    assert.equal(store.objects.size, 0);
  });
});

describe('a witness', () => {
  const trusted = (log: SealedLog) => {
    witness.trust(originOfLog(log), key.publicKey);
    return log;
  };

  test('cosigns each checkpoint as the continuation of the last, and its line follows that of the log', async () => {
    const log = trusted(newSealedLog(700, key));
    await keepLog(owner, log, 1);
    anchor(theWitness());
    await anchoredAt(log, 1);
    for (const size of [2, 3, 255, 256, 257, 700]) {
      await keepLog(owner, log, size);
      await anchoredAt(log, size);
    }
    assert.deepEqual(witness.asked, [0, 1, 2, 3, 255, 256, 257]);
    const { rows } = await owner.query('select anchor, cosignature from audit_anchored where size = 700');
    assert.equal(rows[0].anchor, 'witness:witness.example/w1');
    assert.match(rows[0].cosignature, /^\u2014 witness\.example\/w1 [A-Za-z0-9+/]+=*\n$/);
  });

  test('states which tree it has seen, so that a database without that state requests correctly', async () => {
    const log = trusted(newSealedLog(90, key));
    await keepLog(owner, log, 50);
    anchor(theWitness());
    await anchoredAt(log, 50);
    await running?.stop();
    await owner.query('truncate audit_anchorings');
    await keepLog(owner, log);
    anchor(theWitness());
    await anchoredAt(log, 90);
    assert.deepEqual(witness.asked, [0, 0, 50]);
  });

  test('reports that a log was rolled back, that it was rewritten, and that two trees of one size were signed', async () => {
    const log = trusted(newSealedLog(50, key));
    await keepLog(owner, log);
    anchor(theWitness());
    await anchoredAt(log, 50);
    await running?.stop();
    await owner.query('truncate audit_anchorings');
    await keepLog(owner, log, 20);
    anchor(theWitness());
    assert.equal((await refused(log, /signed a tree of 50 leaves, but the log has 20/)).conflict, true);
    for (const size of [80, 50]) {
      await keepLog(owner, newSealedLog(size, key, {}, log.organizationId));
      await again();
      await refused(log, /signed a different tree with 50 leaves: the log was rewritten/);
      await owner.query('update audit_anchorings set reason = null');
    }
    assert.equal(Number((await readState(log))?.size), 0);
  });

  test('that returns a cosignature of other content, by another key, or of a wrong time is refused', async () => {
    const log = trusted(newSealedLog(50, key));
    await keepLog(owner, log, 10);
    anchor(theWitness());
    await anchoredAt(log, 10);
    await keepLog(owner, log, 20);
    const none = /contains no cosignature/;
    const lies: readonly (readonly [WitnessManner, RegExp])[] = [
      ['signs another size', none],
      ['signs by another key', none],
      ['answers of before', none],
      ['of the future', /is in the future/],
      ['says much', /ends at 16 KiB|larger|too/i],
      ['redirects', /a redirect/],
    ];
    for (const [manner, reason] of lies) {
      witness.manner.of = manner;
      await owner.query('update audit_anchorings set reason = null');
      await again();
      await refused(log, reason);
    }
    const { rows } = await owner.query('select size::int from audit_anchored');
    assert.deepEqual(rows, [{ size: 10 }]);
    witness.manner.of = 'honest';
    await again();
    await anchoredAt(log, 20);
  });

  test('that hangs does not delay other targets or the shutdown of the worker', async () => {
    const [log, file] = [trusted(newSealedLog(5, key)), path.join(folder, 'beside.txt')];
    witness.manner.of = 'hangs';
    await keepLog(owner, log);
    anchor({ ...theWitness(), file });
    await waitUntil('the file has it', async () => {
      const { rows } = await owner.query("select from audit_anchored where anchor like 'file:%'");
      return rows.length === 1;
    });
    await running?.stop();
  });
});

test('a held log is reported by a metric, by health and by the log, and is not anchored', async () => {
  const [log, file] = [newSealedLog(5, key), path.join(folder, 'held.txt')];
  await keepLog(owner, log);
  await owner.query('update audit_trees set held_since = now()');
  const { stand } = anchor({ file });
  await waitUntil('it is told', () => sample('svc_audit_logs_held') === 1 && stand() === 'held');
  assert.ok(lines.some((line) => /audit logs are held; list them with npm run ops -- admin audit-logs/.test(line)));
  await owner.query('update audit_trees set held_since = null');
  await waitUntil('it is over', () => sample('svc_audit_logs_held') === 0 && stand() === 'ok');
  await anchoredAt(log, 5);
});

test('a disk that stores only part of a checkpoint is a failure, and the next one is whole', async () => {
  const file = path.join(folder, 'bounded.txt');
  const module = path.resolve(import.meta.dirname, 'anchoring/places/file.ts');
  const program = `
    const { newFileAnchor } = await import(${JSON.stringify(module)});
    const anchor = newFileAnchor('file', ${JSON.stringify(file)});
    const log = { origin: 'o', size: 1, root: Buffer.alloc(32), note: 'x'.repeat(700) + '\\n', anchored: 0, rootAt: async () => undefined };
    console.log(JSON.stringify([await anchor.place(log), await anchor.place({ ...log, origin: 'p' })]));`;
  const said = await new Promise<string>((resolve, reject) => {
    const words = ['-c', `trap '' XFSZ; ulimit -f 1; exec "$0" --input-type=module -e "$1"`, process.execPath, program];
    execFile('bash', words, (error, out) => (error ? reject(error) : resolve(out)));
  });
  const [first, second] = JSON.parse(said);
  assert.equal(first.kind, 'placed');
  assert.equal(second.kind, 'failed');
  assert.match(second.reason, /disk is full|EFBIG/);
});
