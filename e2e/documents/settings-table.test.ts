import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { SETTINGS, type Setting } from '@svc/contract/tables/limits.ts';
import { SETTING_NAMES } from '@svc/contract/tables/setting-names.ts';
import { WATCH_SETTINGS } from '@svc/contract/tables/watching.ts';
import { personsEnvironment } from '@svc/testing/processes/launch-service.ts';

const root = path.resolve(import.meta.dirname, '../..');
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');

type Row = { readonly name: string; readonly otherwise: string; readonly range: string };

/** The table of settings as people read it. */
const rows: readonly Row[] = [...textOf('docs/operating/running.md').matchAll(/^\| `([A-Z_]+)` \| (.*?) ?\| (.*?) ?\| .+ \|$/gm)].map(
  ([, name = '', otherwise = '', range = '']) => ({ name, otherwise, range }),
);

/** Set by the launcher for the planes, and told below the table. */
const NOT_FOR_PEOPLE = ['SVC_SANDBOX_ORIGIN'];

/** Named by the interface, for what this version does not have. */
const NOT_READ_YET: readonly string[] = [SETTINGS.smtpUrl];

const settingsFiles = [
  'apps/launcher/src/settings/settings.ts',
  'apps/control-plane/src/settings.ts',
  'apps/gateway/src/settings.ts',
  'packages/program/src/tracing/read-tracing-settings.ts',
];

const namesIn = (source: string): string[] => [
  ...[...source.matchAll(/'([A-Z][A-Z0-9]*_[A-Z0-9_]+)'/g)].map(([, name = '']) => name),
  ...[...source.matchAll(/\bSETTINGS\.(\w+)/g)].map(([, key]) => SETTINGS[key as Setting]),
  ...[...source.matchAll(/\bWATCH_SETTINGS\.(\w+)/g)].map(([, key]) => WATCH_SETTINGS[key as keyof typeof WATCH_SETTINGS]),
];

/** What a plane says when each of these settings has this value. */
const complaintsOf = (plane: string, names: readonly string[], value: string): string => {
  const env = personsEnvironment(Object.fromEntries(names.map((name) => [name, value])));
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'apps', plane, 'src/main.ts')], { env, encoding: 'utf8' });
  assert.equal(status, 1, stderr);
  return stderr;
};

const complaints = (names: readonly string[], value: string): string =>
  ['control-plane', 'gateway'].map((plane) => complaintsOf(plane, names, value)).join('');

describe('the table of settings', () => {
  test('names every setting that the programs read, and no other', () => {
    const read = new Set(settingsFiles.flatMap((file) => namesIn(textOf(file))));
    assert.ok(read.size > 25);
    assert.deepEqual([...rows.map(({ name }) => name), ...NOT_FOR_PEOPLE].sort(), [...read].sort());
    assert.deepEqual(SETTING_NAMES.filter((name) => !NOT_READ_YET.includes(name)).sort(), [...read].sort());
  });

  test('tells the default and the range of each number as the programs have them', () => {
    const numbers = rows.filter(({ range }) => /^\d+ to \d+$/.test(range));
    assert.ok(numbers.length > 15);
    const said = complaints(
      numbers.map(({ name }) => name),
      'x',
    );
    for (const { name, otherwise, range } of numbers) {
      const sentence = `${name} is "x", but must be a whole number from ${range}; leave it out for ${otherwise}.`;
      assert.ok(said.includes(sentence), `${sentence}\n${said}`);
    }
  });

  test('tells which are true or false, and what they are when left out', () => {
    const flags = rows.filter(({ range }) => range === 'true or false');
    assert.ok(flags.length > 1);
    const said = complaints(
      flags.map(({ name }) => name),
      'perhaps',
    );
    for (const { name, otherwise } of flags) {
      assert.ok(said.includes(`${name} is "perhaps", but must be true or false; leave it out for ${otherwise}.`), said);
    }
  });

  test('tells the other defaults as the programs have them', () => {
    const sources = settingsFiles.map(textOf).join('');
    for (const name of ['HOST', 'DATA_DIR', 'LOG_LEVEL']) {
      const otherwise = rows.find((row) => row.name === name)?.otherwise;
      assert.ok(sources.includes(`'${otherwise}'`), `${name}: ${otherwise}`);
    }
  });
});
