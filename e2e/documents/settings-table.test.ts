import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Setting } from '@svc/contract/tables/setting-kinds.ts';
import { SETTING_TABLE } from '@svc/contract/tables/settings.ts';
import { getPersonsEnvironment } from '@svc/testing/processes/launch-service.ts';

const root = path.resolve(import.meta.dirname, '../..');
const document = readFileSync(path.join(root, 'docs/operating/running.md'), 'utf8');

/** Set by the launcher for the planes, and documented below the table. */
const NOT_FOR_PEOPLE = ['SVC_SANDBOX_ORIGIN', 'SVC_INSTALLATION_KEY'];

const otherwiseOf = (row: Setting): string => (row.kind === 'list' ? '' : String(row.otherwise ?? ''));

const getRange = (row: Setting): string => {
  if (row.kind === 'integer') return `${row.from} to ${row.to}`;
  if (row.kind === 'flag') return 'true or false';
  return row.kind === 'word' ? row.words.join(', ') : '';
};

const getLine = ([name, row]: [string, Setting]): string => {
  const cells = [`\`${name}\``, otherwiseOf(row), getRange(row), row.says];
  return `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`;
};

const settings = Object.entries<Setting>(SETTING_TABLE);
const wanted = settings.filter(([name]) => !NOT_FOR_PEOPLE.includes(name)).map(getLine);

/** Returns the error message of a plane if each of these settings has this value. */
const listComplaints = (plane: string, names: readonly string[], value: string): string => {
  const env = getPersonsEnvironment(Object.fromEntries(names.map((name) => [name, value])));
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'apps', plane, 'src/main.ts')], { env, encoding: 'utf8' });
  assert.equal(status, 1, stderr);
  return stderr;
};

const complaints = (names: readonly string[], value: string): string =>
  ['control-plane', 'gateway', 'worker'].map((plane) => listComplaints(plane, names, value)).join('');

describe('the table of settings in the guide', () => {
  test('is the table that the programs use, line for line', () => {
    assert.deepEqual(document.match(/^\| `[A-Z_]+` \|.*$/gm), wanted);
    for (const name of NOT_FOR_PEOPLE) assert.ok(document.includes(`\`${name}\``));
  });

  test('states the same about numbers and flags as the planes', () => {
    const given = settings.filter(([, row]) => row.kind === 'integer' || row.kind === 'flag');
    assert.ok(given.length > 25);
    const said = complaints(
      given.map(([name]) => name),
      'x',
    );
    for (const [name, row] of given) {
      const must = row.kind === 'integer' ? `a whole number from ${getRange(row)}` : 'true or false';
      const sentence = `${name} is "x", but must be ${must}; unset it for ${otherwiseOf(row)}.`;
      assert.ok(said.includes(sentence), `${sentence}\n${said}`);
    }
  });
});
