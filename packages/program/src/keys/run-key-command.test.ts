import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { newMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { KeyFault } from './key-fault.ts';
import { readCommand } from './read-command.ts';
import { readKeyFile } from './read-key-file.ts';
import { type KeyCommand, runKeyCommand } from './run-key-command.ts';

const home = mkdtempSync(path.join(tmpdir(), 'svc-key-command-'));
after(() => rmSync(home, { recursive: true, force: true }));
const secret = randomBytes(64);
/** The OpenSSL of the system, if installed. */
const OPENSSL = 'openssl';

const script = (name: string, text: string): string => {
  const file = path.join(home, name);
  writeFileSync(file, text, { mode: 0o700 });
  return file;
};
const getCommand = (...words: readonly string[]): KeyCommand => ({ words, env: { PATH: process.env.PATH, AWS_PROFILE: 'governance' } });
const shell = (text: string, ...more: readonly string[]): KeyCommand => getCommand('/bin/sh', '-c', text, 'sh', ...more);

/** The scripts in the operator's guide, by the program that each calls. */
const shown = new Map(
  [...readFileSync(new URL('../../../../docs/operating/running.md', import.meta.url), 'utf8').matchAll(/^```bash\n(#!.*?)^```$/gms)].map(
    ([, text = '']) => [/\b(aws|vault|age|openssl)\b/.exec(text)?.[1] ?? '', text],
  ),
);

const refusal = async (command: KeyCommand, timeoutMs?: number): Promise<string> => {
  const error = await runKeyCommand(command, 'wrap', secret, timeoutMs).then(
    () => assert.fail('nothing was refused'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof KeyFault, String(error));
  assert.ok(!error.message.includes(secret.toString('base64').slice(0, 20)));
  return error.message;
};

describe('the command that wraps the installation key', () => {
  test('works for four services in the documented scripts, and that of OpenSSL wraps and unwraps', async () => {
    assert.deepEqual([...shown.keys()].sort(), ['age', 'aws', 'openssl', 'vault']);
    for (const [name, text] of shown) assert.equal(spawnSync('sh', ['-n', script(name, text)]).status, 0, name);
    if (spawnSync(OPENSSL, ['version']).status !== 0) return;
    const key = path.join(home, 'kek.pem');
    execFileSync(OPENSSL, ['genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', key], { stdio: 'ignore' });
    const command = getCommand(path.join(home, 'openssl'), key);
    const wrapped = await runKeyCommand(command, 'wrap', secret);
    assert.equal(wrapped.includes(secret.subarray(0, 16)), false);
    assert.deepEqual(await runKeyCommand(command, 'unwrap', wrapped), secret);
    wrapped[9] = (wrapped[9] ?? 0) ^ 1;
    await assert.rejects(runKeyCommand(command, 'unwrap', wrapped), KeyFault);
  });

  test('receives its words unchanged, and only the given environment', async () => {
    const told = await runKeyCommand(shell('printf "%s|%s|%s" "$1" "$AWS_PROFILE" "$HOME" | base64 -w 0', '$(id); "x'), 'wrap', secret);
    assert.equal(told.toString(), '$(id); "x|governance|');
  });

  test('is reported in one sentence with the remedy and no byte of a key if it is missing, fails, hangs, floods or answers wrongly', async () => {
    const remedy = /Check that this account can run it manually/;
    const cases: readonly (readonly [KeyCommand, RegExp, number?])[] = [
      [getCommand('/nowhere/at/all'), /could not be started \(ENOENT\)/],
      [
        shell('cat >&2; echo AccessDenied: no right to use this key >&2; exit 7'),
        /ended with 7: … AccessDenied: no right to use this key\./,
      ],
      [shell('sleep 60 & sleep 60'), /did not answer within 0\.5 s/, 500],
      [shell('while :; do echo AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA; done'), /returned more than 65536 bytes/],
      [shell('echo no base64 at all!'), /did not write one line of padded base64/],
      [shell('true'), /did not write one line of padded base64/],
    ];
    for (const [command, sentence, timeoutMs] of cases) {
      const said = await refusal(command, timeoutMs);
      assert.match(said, sentence);
      assert.match(said, remedy);
    }
  });

  test('is read as a JSON array or as words separated by blanks; text for a shell is rejected', () => {
    assert.deepEqual(readCommand('["/bin/a b", "c"]'), ['/bin/a b', 'c']);
    assert.deepEqual(readCommand(' /bin/a  alias/governance '), ['/bin/a', 'alias/governance']);
    for (const text of ['', '[]', '[""]', '["a", 1]', '[', 'a "b c"', 'a | b', 'a; b', 'echo $KEY'])
      assert.equal(readCommand(text), undefined, text);
  });
});

describe('a file with a master key', () => {
  test('must be readable by its owner only, and contain a key and nothing else', () => {
    const [file, text] = [path.join(home, 'some.key'), newMasterKey()];
    assert.equal(readKeyFile(file), undefined);
    writeFileSync(file, `${text}\n`, { mode: 0o600 });
    assert.deepEqual(readKeyFile(file), { text });
    const link = path.join(home, 'link.key');
    symlinkSync(file, link);
    assert.deepEqual(readKeyFile(link), { text });
    for (const mode of [0o640, 0o604, 0o660, 0o620, 0o601]) {
      chmodSync(file, mode);
      for (const name of [file, link]) {
        const read = readKeyFile(name);
        assert.ok(read !== undefined && 'fault' in read && /is readable by other users\. Run "chmod 600/.test(read.fault));
      }
    }
    chmodSync(file, 0o400);
    assert.deepEqual(readKeyFile(file), { text });
    const wrong = (name: string): string => {
      const read = readKeyFile(name);
      return read !== undefined && 'fault' in read ? read.fault : assert.fail(name);
    };
    assert.match(wrong(home), /is not a file/);
    const long = path.join(home, 'long.key');
    writeFileSync(long, `${text}\n`.repeat(100), { mode: 0o600 });
    assert.match(wrong(long), /contains more than a key/);
    const half = path.join(home, 'half.key');
    writeFileSync(half, text.slice(0, 20), { mode: 0o600 });
    assert.ok(!wrong(half).includes(text.slice(0, 20)));
  });
});
