import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { countRepetitions, longOnly } from '@svc/testing/length/test-length.ts';
import { exportLines, newLogKey, newSealedLog } from '@svc/testing/logs/sealed-log.ts';
import { newCosigner } from '@svc/testing/peers/witness.ts';
import { tryVerifier, VERIFIER } from './try-verifier.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'verifier-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: readonly string[]): Promise<{ readonly code: number; readonly said: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [VERIFIER, ...words], { env: {} }, (error, out, errors) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: out + errors }),
    );
  });

/** The Node of this run, and others that a machine may have. */
const NODES = [...new Set([process.execPath, process.env.npm_node_execpath ?? '', '/usr/bin/node', '/usr/local/bin/node'])].filter(
  existsSync,
);

const write = (name: string, text: string): string => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};

test('the offline verifier is one file of 450 lines at most that needs only Node', () => {
  const text = readFileSync(VERIFIER, 'utf8');
  assert.ok(text.split('\n').length <= 451);
  assert.deepEqual(
    [...text.matchAll(/from '([^']+)'/g)].map(([, name]) => name?.startsWith('node:')),
    [true, true],
  );
});

test('mutations of every kind are found and named, and no valid log is reported', async () => {
  assert.deepEqual(
    await tryVerifier({
      events: 600,
      logs: countRepetitions({ short: 2, long: 6 }),
      mutations: countRepetitions({ short: 90, long: 270 }),
      honest: countRepetitions({ short: 10, long: 40 }),
    }),
    [],
  );
});

test('an export that hides changed events behind a claimed hash is not accepted as complete', async () => {
  const log = newSealedLog(20);
  const lines = exportLines(log).map((line) => line.replaceAll('"severity":"info"', '"severity":"warning"'));
  const { manifest } = JSON.parse(lines.at(-1) ?? '');
  const root = /\n\d+\n([^\n]+)\n/.exec(manifest.checkpoint)?.[1];
  const hiding = [...lines.slice(0, -1), JSON.stringify({ manifest: { ...manifest, outside: [{ from: 0, to: 20, hash: root }] } })];
  for (const given of [hiding, hiding.filter((line) => !line.startsWith('{"tile"'))]) {
    const { code, said } = await run(write('hiding.jsonl', `${given.join('\n')}\n`), '--key', log.verifierKey);
    assert.equal(code, 1, said);
    assert.match(said, /NOT INTACT\.\n$/);
  }
});

test('reports which of the checkpoints kept elsewhere the log dropped, also with many in one file and those of other logs', async () => {
  const [log, other] = [newSealedLog(300), newSealedLog(50)];
  const anew = newSealedLog(400, log.key, {}, log.organizationId);
  const file = write('export.jsonl', `${exportLines(log).join('\n')}\n`);
  const torn = log.checkpointOf(120).slice(0, -30);
  const kept = (...notes: readonly string[]) => write('kept.txt', notes.map((note) => `\n${note}`).join(''));
  const own = [1, 2, 256, 257, 300].map((size) => log.checkpointOf(size));
  const look = (...words: readonly string[]) => run(file, '--key', log.verifierKey, '--seen', ...words);
  const [witness, larger] = [newCosigner('witness.example/w1'), anew.checkpointOf(400)];
  const [head = '', signed = ''] = larger.split(/(?<=\n\n)/);
  const cosigned = `${head}${witness.cosign(larger, Math.floor(Date.now() / 1_000))}${signed}`;
  for (const written of [cosigned, `\ufeff${larger}`, larger.replaceAll('\n', '\r\n'), larger.trimEnd()])
    assert.match(
      (await look(write('written.txt', `${log.checkpointOf(7)}\n${written}`))).said,
      /^Rolled back, or older: you saw 400/,
      written,
    );
  assert.match((await look(write('first.txt', `\ufeff${larger}\n${log.checkpointOf(7)}`))).said, /^Rolled back, or older: you saw 400/);
  const fine = await look(kept(...own, torn, other.checkpointOf(50)), '--seen', write('one.txt', log.checkpointOf(7)));
  assert.equal(fine.code, 0, fine.said);
  for (const [note, said] of [
    [log.checkpointOf(300, newLogKey()), /^Of a checkpoint seen before: The checkpoint is not signed/],
    [anew.checkpointOf(300), /^Forked: the log signed two trees of 300 events\.\n/],
    [anew.checkpointOf(257), /^Forked: the log signed two trees of 257 events\.\n/],
    [anew.checkpointOf(200), /^Rewritten: this log is not the continuation of the one you saw, of 200 events\.\n/],
    [anew.checkpointOf(400), /^Rolled back, or older: you saw 400 events of the log, and this is of 300: export anew\.\n/],
  ] as const) {
    const told = await look(kept(...own, other.checkpointOf(50), note));
    assert.equal(told.code, 1, told.said);
    assert.match(told.said, said);
  }
  const none = await look(write('none.txt', `\n${other.checkpointOf(50)}`));
  assert.match(none.said, /^Of a checkpoint seen before: /);
});

test('a witness is requested by its key: what it did not sign of this checkpoint does not count', async () => {
  const log = newSealedLog(30);
  const witness = newCosigner('witness.example/w1');
  const note = log.checkpointOf(30);
  const file = write('cosigned.jsonl', `${exportLines(log).join('\n')}\n`);
  const look = (checkpoint: string, by = witness) =>
    run(file, '--key', log.verifierKey, '--checkpoint', write('cosigned.txt', checkpoint), '--witness', by.verifierKey);
  const now = Math.floor(Date.now() / 1_000);
  const fine = await look(note + witness.cosign(note, now));
  assert.equal(fine.code, 0, fine.said);
  for (const line of ['', newCosigner('witness.example/w1').cosign(note, now), witness.cosign(log.checkpointOf(29), now)])
    assert.match((await look(note + line)).said, /^Not cosigned: witness\.example\/w1 has not signed this checkpoint\.\n/);
  assert.equal((await look(note, { ...witness, verifierKey: log.verifierKey })).code, 2);
});

test('reports faults as text on the command line, and by its exit code', async () => {
  const log = newSealedLog(300);
  const file = write('export.jsonl', `${exportLines(log).join('\n')}\n`);
  const fine = await run(file, '--key', log.verifierKey, '--checkpoint', write('note.txt', log.checkpointOf(300)));
  assert.equal(fine.code, 0, fine.said);
  assert.match(fine.said, /^Intact: 300 events of org_/);
  const without = write('without.jsonl', `${exportLines(log).toSpliced(7, 1).join('\n')}\n`);
  assert.deepEqual(await run(without, '--key', log.verifierKey), {
    code: 1,
    said: 'Deleted: the event 7 is missing.\nNOT INTACT.\n',
  });
  const [count, digest] = [{ events: 299 }, { sha256: 'f'.repeat(64) }].map((change, n) => {
    const lines = exportLines(log);
    const { manifest } = JSON.parse(lines.at(-1) ?? '');
    return write(
      `manifest-${n}.jsonl`,
      `${[...lines.slice(0, -1), JSON.stringify({ manifest: { ...manifest, ...change } })].join('\n')}\n`,
    );
  });
  assert.match(
    (await run(count ?? '', '--key', log.verifierKey)).said,
    /^Changed: the manifest states 299 events, and the file has 300\.\nNOT/,
  );
  assert.match((await run(digest ?? '', '--key', log.verifierKey)).said, /^Changed: the lines before the manifest do not have the SHA-256/);
  const { manifest: own } = JSON.parse(exportLines(log).at(-1) ?? '');
  for (const [change, says] of [
    [{ format: 'svc-audit-export/2' }, /the manifest states the format svc-audit-export\/2/],
    [{ organization_id: 'org_other' }, /the manifest states the organization org_other/],
    [{ from: 1 }, /the manifest states the leaves from 1 to 300/],
    [{ to: 299 }, /the manifest states the leaves from 0 to 299/],
    [{ from: -1, to: 299 }, /the manifest states the leaves from -1 to 299/],
    [{ tree_size: 301 }, /the manifest states a log of 301 events, and its checkpoint 300\./],
    [{ bytes: 12 }, /the manifest states 12 bytes before it, and there are \d+\./],
    [{ events: undefined }, /the manifest states NaN events, and the file has 300\./],
  ] as const) {
    const manifest = JSON.stringify({ manifest: { ...own, ...change } });
    const { code, said } = await run(
      write('stated.jsonl', `${[...exportLines(log).slice(0, -1), manifest].join('\n')}\n`),
      '--key',
      log.verifierKey,
    );
    assert.equal(code, 1);
    assert.match(said, new RegExp(`^Changed: ${says.source}[^\n]*\nNOT INTACT`));
  }
  const older = write('older.jsonl', `${exportLines(log, 100).join('\n')}\n`);
  const rolledBack = await run(older, '--key', log.verifierKey, '--seen', write('seen.txt', log.checkpointOf(300)));
  assert.match(rolledBack.said, /^Rolled back, or older: you saw 300 events of the log, and this is of 100: export anew\./);
  for (const words of [[], ['--key', 'x'], [file], [file, '--key', log.verifierKey, '--other']])
    assert.equal((await run(...words)).code, 2);
});

test('gives a verdict on any Node and in any form of start, and is silent only as an import', longOnly, () => {
  const [log, link] = [newSealedLog(20), path.join(folder, 'link.mjs')];
  symlinkSync(VERIFIER, link);
  const changed = exportLines(log).map((line) => line.replaceAll('"severity":"info"', '"severity":"warning"'));
  const words = ['--key', log.verifierKey];
  const [good, bad] = [write('good.jsonl', `${exportLines(log).join('\n')}\n`), write('bad.jsonl', `${changed.join('\n')}\n`)];
  const asText = { input: readFileSync(VERIFIER) };
  for (const node of NODES)
    for (const [ways, options] of [
      [[VERIFIER], {}],
      [['verify.mjs'], { cwd: path.dirname(VERIFIER) }],
      [[link], {}],
      [['--preserve-symlinks', '--preserve-symlinks-main', link], {}],
    ] as const) {
      const of = (file: string) => spawnSync(node, [...ways, file, ...words], { ...options, env: {}, encoding: 'utf8' });
      assert.match(of(good).stdout, /^Intact: /, `${node} ${ways.join(' ')}: ${of(good).stderr}`);
      assert.equal(of(good).status, 0);
      assert.match(of(bad).stdout, /NOT INTACT\.\n$/, node);
      assert.equal(of(bad).status, 1);
    }
  for (const node of NODES) assert.notEqual(spawnSync(node, ['--input-type=module', '-', bad, ...words], asText).status, 0, 'a text of it');
  const using = write('using.mjs', `import ${JSON.stringify(VERIFIER)};`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [using], { env: {}, encoding: 'utf8' });
  assert.deepEqual([status, stdout, stderr], [0, '', '']);
});

test('an unsigned receipt is reported as such, with any content, and cannot control a terminal; neither can unknown content', async () => {
  const key = ['--key', newSealedLog(1).verifierKey];
  const steering = '\u001b[2J\u001b[HIntact: act_1\n';
  for (const text of [`${Buffer.from(steering).toString('base64url')}.e30.AAAA`, `${steering}.${steering}.`, 'bnVsbA.e30.AAAA', '', 'a.b'])
    assert.deepEqual(await run(...key, '--receipt', write('forged.jws', text)), {
      code: 1,
      said: 'The receipt is not signed by the key that was given.\nNOT INTACT.\n',
    });
  const { code, said } = await run(...key, `--${steering}`);
  assert.equal(code, 2);
  assert.doesNotMatch(said.trimEnd(), /\p{Cc}/u);
});

test('--help explains its use, including what to name', async () => {
  const help = await run('--help');
  assert.equal(help.code ?? 0, 0);
  assert.match(help.said, /Checks an export[\s\S]*node verify\.mjs --receipt receipt\.jws --key/);
  assert.doesNotMatch(help.said, /^import /m);
  const none = await run();
  assert.equal(none.code, 2);
  assert.match(none.said, /--help/);
});
