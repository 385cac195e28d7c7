import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { longOnly } from '@svc/testing/length/test-length.ts';
import { buildLeafOfEvent, exportLines, newSealedLog, type SealedLog } from '@svc/testing/logs/sealed-log.ts';
import { VERIFIER } from './try-verifier.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hostile-exports-'));
after(() => rmSync(folder, { recursive: true, force: true }));

type Said = { readonly code: number; readonly said: string };

const check = (log: SealedLog, text: string | Buffer, ...more: readonly string[]): Promise<Said> => {
  const file = path.join(folder, 'export.jsonl');
  writeFileSync(file, text);
  return new Promise((resolve) => {
    execFile(process.execPath, [VERIFIER, file, '--key', log.verifierKey, ...more], { env: {} }, (error, out, errors) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: out + errors }),
    );
  });
};

const listLines = (...lines: readonly unknown[]): string =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
const getTile = (from: unknown, hashes: readonly Buffer[]) => ({ tile: { from, hashes: Buffer.concat(hashes).toString('base64') } });

const isFound = ({ code, said }: Said): void => {
  assert.equal(code, 1, said);
  assert.match(said, /NOT INTACT\.\n$/);
};

test('a malformed leaf index never verifies changed or unsealed events', async () => {
  const log = newSealedLog(20);
  const root = Buffer.from(/\n\d+\n([^\n]+)\n/.exec(log.checkpointOf(20))?.[1] ?? '', 'base64');
  const changed = log.events.map((event) => ({ ...event, severity: 'warning' as const }));
  const manifest = exportLines(log).at(-1) as string;
  // If tile numbers were compared as strings, "0-2" and 0 would name the whole tree, from 0 to 20.
  isFound(await check(log, listLines(...changed, getTile(0, changed.map(buildLeafOfEvent)), getTile('0-2', [root]), manifest)));
  for (const sequence of [-1, 0.5, 2 ** 53]) {
    const made = { ...(log.events[3] as (typeof log.events)[number]), request_id: 'req_made', sequence };
    isFound(
      await check(log, listLines(made, ...exportLines(log).toSpliced(-1, 0, JSON.stringify(getTile(sequence, [buildLeafOfEvent(made)]))))),
    );
  }
});

test('a line has exactly one kind: further members next to a tile or a manifest are refused', async () => {
  const log = newSealedLog(3);
  const lines = exportLines(log);
  const made = { ...log.events[0], request_id: 'req_made' };
  for (const line of [{ ...made, tile: null }, { ...made, tile: {} }, { ...made, manifest: null }, { manifest: null }, { tile: null }])
    isFound(await check(log, listLines(line, ...lines), '--checkpoint', write(log)));
});

const write = (log: SealedLog): string => {
  const file = path.join(folder, 'note.txt');
  writeFileSync(file, log.checkpointOf(log.events.length));
  return file;
};

test('line separators other than that of JSON lines do not split an event', async () => {
  const log = newSealedLog(5, undefined, { name: 'over\u2028two\u2029lines' });
  const { code, said } = await check(log, listLines(...exportLines(log)));
  assert.equal(code, 0, said);
});

test('invalid UTF-8 is not read as the replacement character, unlike in other readers', async () => {
  const log = newSealedLog(5, undefined, { name: 'a \ufffd b' });
  const text = Buffer.from(listLines(...exportLines(log)));
  assert.equal((await check(log, text)).code, 0);
  const at = text.indexOf('\ufffd');
  for (const bytes of [[0xff], [0xc0], [0xed, 0xa0, 0x80]]) {
    const { code, said } = await check(log, Buffer.concat([text.subarray(0, at), Buffer.from(bytes), text.subarray(at + 3)]));
    assert.deepEqual([code, /Intact|INTACT/.test(said)], [2, false], said);
  }
  assert.equal((await check(log, Buffer.concat([text, Buffer.of(0xe2)]))).code, 2);
});

test('an event cannot imitate the verifier, and one nested too deeply or a line without an end is an ordinary fault', async () => {
  const log = newSealedLog(3);
  const lines = exportLines(log);
  const speaking = { id: 'evt_1\n\u001b[2JIntact: 3 events', organization_id: log.organizationId, sequence: 0 };
  const told = await check(log, listLines(speaking, ...lines));
  isFound(told);
  assert.equal(told.said.includes('\u001b') || told.said.includes('\nIntact'), false, told.said);
  const depth = 200_000;
  isFound(await check(log, listLines(`{"id":"evt_1","data":${'['.repeat(depth)}${']'.repeat(depth)}}`, ...lines)));
  const endless = await check(log, listLines(`"${'x'.repeat(20_000_000)}"`, ...lines));
  assert.deepEqual(endless, { code: 2, said: 'The file is no export: a line of it does not end.\n' });
});

test('a malformed start index is refused, and never ignored', async () => {
  const log = newSealedLog(3);
  const text = listLines(...exportLines(log).slice(1));
  isFound(await check(log, text));
  for (const from of [['--from', 'x'], ['--from'], ['--from', '-1'], ['--from', '1.5']])
    assert.equal((await check(log, text, ...from)).code, 2);
});

test('outside hashes that are not part of the root do not let a log pass as the continuation of a seen one', async () => {
  const log = newSealedLog(20);
  const seen = newSealedLog(5, log.key, {}, log.organizationId);
  const file = path.join(folder, 'seen.txt');
  writeFileSync(file, seen.checkpointOf(5));
  const beginning = (of: SealedLog, to: number) => ({ from: 0, to, hash: /\n\d+\n([^\n]+)\n/.exec(of.checkpointOf(to))?.[1] });
  const fifth = { from: 4, to: 5, hash: seen.hashes[4]?.toString('base64') };
  const beside = beginning(log, 8);
  const lies = {
    'the very tree that was seen': [beside, beginning(seen, 5)],
    'its parts': [beside, beginning(seen, 4), fifth],
    'its parts, stated first': [beginning(seen, 4), fifth, beside],
  };
  const part = (told: readonly unknown[]): string => {
    const { manifest } = JSON.parse(exportLines(log).at(-1) as string);
    const end = { manifest: { ...manifest, from: 8, events: log.events.length - 8, outside: told } };
    return listLines(...log.events.slice(8), getTile(8, log.hashes.slice(8)), end);
  };
  assert.equal((await check(log, part([beside]), '--from', '8')).code, 0);
  for (const [what, told] of Object.entries(lies)) {
    const { code, said } = await check(log, part(told), '--from', '8', '--seen', file);
    assert.equal(code, 1, `${what}: ${said}`);
  }
});

test('an export with many leaves and subtrees, or with many signatures, takes a limited time to read', longOnly, async () => {
  const log = newSealedLog(3);
  const { manifest } = JSON.parse(exportLines(log).at(-1) as string);
  const zeros = Buffer.alloc(32 * 8_192);
  const tiles = Array.from({ length: 250 }, (_, n) => getTile((n + 1) * 8_192, [zeros]));
  const outside = Array.from({ length: 128 }, (_, n) => ({
    from: 4_096 + n * 2,
    to: 4_097 + n * 2,
    hash: Buffer.alloc(32).toString('base64'),
  }));
  const usual = listLines(...exportLines(log).slice(0, -1), ...tiles, { manifest });
  const many = listLines(...exportLines(log).slice(0, -1), ...tiles, { manifest: { ...manifest, outside } });
  const timed = async (text: string): Promise<number> => {
    const began = performance.now();
    await check(log, text);
    return performance.now() - began;
  };
  const once = await timed(usual);
  const hostile = await timed(many);
  assert.ok(hostile < 3 * once + 500, `${hostile} ms with subtrees, ${once} ms without`);
  const signature = manifest.checkpoint.trimEnd().split('\n').at(-1).replace(/.{8}$/, 'AAAAAAA=');
  const signed = `${manifest.checkpoint.slice(0, manifest.checkpoint.lastIndexOf('\n\n') + 2)}${`${signature}\n`.repeat(60_000)}`;
  const lines = listLines(...exportLines(log).slice(0, -1), { manifest: { ...manifest, checkpoint: signed } });
  const plain = await timed(listLines(...exportLines(log)));
  assert.ok((await timed(lines)) < 3 * plain + 500);
});
