import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import { openRecordScene, type RecordScene } from '@svc/testing/agents/record-scene.ts';
import { isLong, sample } from '@svc/testing/length/test-length.ts';
import { COVERED_TABLES, dropConstraints, listMutations, type RowMutation } from './mutations.fixture.ts';
import { newOneOfEachRecord } from './one-of-each-record.fixture.ts';
import { UNCOVERED } from './uncovered.fixture.ts';
import { openVerifier } from './verify-as-service.fixture.ts';

let scene: RecordScene;
let verifier: Awaited<ReturnType<typeof openVerifier>>;
before(async () => {
  scene = await openRecordScene(undefined, MCP_ENV);
  await newOneOfEachRecord(scene);
  await scene.sealed();
  verifier = await openVerifier(scene);
});
after(async () => {
  await verifier?.close();
  await scene?.stop();
});

/** Runs a mutation without triggers and constraints, as the owner of a database can, verifies, and puts the table back as it was. */
const verifyWhile = async ({ table, statement }: RowMutation) => {
  const { owner } = scene;
  await owner.query("set session_replication_role = 'replica'");
  await owner.query(`create table kept_rows as select * from ${table}`);
  try {
    const { rowCount } = await owner.query(statement);
    assert.equal(rowCount, 1, statement);
    return await verifier.verify();
  } finally {
    await owner.query(`delete from ${table}`);
    await owner.query(`insert into ${table} select * from kept_rows`);
    await owner.query('drop table kept_rows');
    await owner.query("set session_replication_role = 'origin'");
  }
};

test('every record made by the API is covered by the log and intact', async () => {
  const { findings, record_parts } = await verifier.verify();
  assert.deepEqual([findings, record_parts.changed], [[], 0]);
});

test('a change of any column of a covered table is detected, or the column is listed as uncovered', async () => {
  const { owner, governed } = scene;
  await dropConstraints(owner);
  const count = { tried: 0, detected: 0, listed: 0 };
  const undetected: string[] = [];
  const tooMuch: string[] = [];
  for (const table of COVERED_TABLES) {
    const all = () => listMutations(owner, governed.tenant.organization_id, table);
    const indexes = [...(await all()).keys()];
    for (const index of sample(indexes, 2, `mutations of ${table}`)) {
      // Read again each time: a restored row has another position in its table.
      const mutation = (await all())[index];
      // The worker may have changed a row meanwhile, which then has fewer mutations.
      if (mutation === undefined) continue;
      const { findings } = await verifyWhile(mutation);
      const isDetected = findings.some(({ kind }) => kind === 'RECORD_CHANGED' || kind === 'RECORD_DELETED');
      count.tried += 1;
      if (isDetected) count.detected += 1;
      else if (mutation.isListed) count.listed += 1;
      else undetected.push(`${table}: ${mutation.name}`);
      if (isDetected && mutation.isListed) tooMuch.push(`${table}: ${mutation.name}`);
    }
    assert.deepEqual((await verifier.verify()).findings, [], `${table} is not as it was`);
  }
  console.log(`mutations: ${count.tried} tried, ${count.detected} detected, ${count.listed} of listed columns`);
  assert.deepEqual(undetected, []);
  assert.deepEqual(tooMuch, [], 'listed as uncovered, and detected');
  if (isLong) assert.ok(count.tried >= 1_200, `only ${count.tried} were tried`);
});

test('SECURITY.md lists exactly the columns that no digest covers', () => {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../../../../../SECURITY.md'), 'utf8');
  const listed = [...text.matchAll(/^\| `([a-z0-9_]+)` \| ((?:`[a-z_]+`(?:, )?)+) \|/gm)].map(([, table, columns = '']) => [
    table,
    [...columns.matchAll(/`([a-z_]+)`/g)].map(([, column]) => column).toSorted(),
  ]);
  assert.deepEqual(
    Object.fromEntries(listed),
    Object.fromEntries(Object.entries(UNCOVERED).map(([table, columns]) => [table, Object.keys(columns).toSorted()])),
  );
});
