import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { FORMAT, FORMAT_VERSION } from './backup-file.ts';
import { checkBackupFile } from './read-backup-file.ts';

const home = mkdtempSync(path.join(tmpdir(), 'svc-read-backup-test-'));
after(() => rmSync(home, { recursive: true, force: true }));

const HEAD = {
  format: FORMAT,
  version: FORMAT_VERSION,
  taken_at: '2026-01-02T03:04:05.000Z',
  installation: { id: 'i', key_check: 'k' },
  migrations: [{ name: '0001.sql', checksum: 'c' }],
};
const TABLE = '{"kind":"table","name":"actions","columns":["id"]}';
const ROWS = '{"kind":"rows","rows":["(1)","(2)"]}';

/** Builds a file with the correct digest and row count, also when its lines are invalid. */
const sealed = (lines: readonly string[]): string => {
  const text = `${lines.join('\n')}\n`;
  const rows = lines.reduce((sum, line) => sum + (JSON.parse(line).rows?.length ?? 0), 0);
  const file = path.join(home, 'forged');
  const end = { kind: 'end', rows, sha256: createHash('sha256').update(text).digest('hex') };
  writeFileSync(file, gzipSync(`${text}${JSON.stringify(end)}\n`));
  return file;
};

test('a backup with valid lines is read, with its rows counted', async () => {
  assert.equal((await checkBackupFile(sealed([JSON.stringify(HEAD), TABLE, ROWS, ROWS]))).rows, 4);
});

test('a backup with a valid digest and unknown or malformed lines is incomplete or was changed', async () => {
  const head = (changed: object): string[] => [JSON.stringify({ ...HEAD, ...changed }), TABLE, ROWS];
  const after = (...lines: string[]): string[] => [JSON.stringify(HEAD), ...lines];
  const forged = [
    head({ migrations: [null] }),
    head({ migrations: 'all' }),
    head({ installation: null }),
    head({ version: 'x' }),
    head({ taken_at: undefined }),
    after(),
    after('{"kind":"rows"}'),
    after(ROWS),
    after(TABLE, '{"kind":"rows","rows":[1]}'),
    after('{"kind":"table","name":"actions"}', ROWS),
    after(TABLE, '{"kind":"unknown","rows":["(1)"]}'),
    after(TABLE, '{"rows":["(1)"]}'),
    after(TABLE, '{"kind":"sequence","name":"s","last_value":1,"is_called":true}'),
    after(TABLE, '[]'),
    after(TABLE, `{"kind":"x","a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
  ];
  for (const lines of forged)
    await assert.rejects(checkBackupFile(sealed(lines)), /is incomplete or was changed/, lines.join('\n').slice(0, 300));
});
