import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHOSEN_NAMES, NO_COMMANDS } from '@svc/client/commands/command-names.ts';
import { isCommand } from '@svc/client/commands/command-words.ts';
import { OPERATIONS } from '@svc/client/operations.ts';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { HAND_COMMANDS } from '../all-commands.ts';
import { deriveTable } from './derive-table.ts';

const table = deriveTable();
const rows = Object.entries(ENDPOINTS as Readonly<Record<string, Endpoint>>).filter(([, { plane }]) => plane === 'control');

/** Left out by their kind: pages and callbacks of a browser, and the calls of a directory. */
const isOutside = ({ wire, credential }: Endpoint): boolean =>
  /page/.test(wire) || wire === 'scim' || (credential as string) === 'directory';

test('every operation of the control plane is a command or is listed as none', () => {
  const commands = new Set<string>(table.map(({ operation }) => operation));
  const missing = rows.filter(([name, row]) => !commands.has(name) && !(name in NO_COMMANDS) && !isOutside(row)).map(([name]) => name);
  assert.deepEqual(missing, []);
});

test('lists as no command only operations that exist and are no command', () => {
  const names = new Set(rows.map(([name]) => name));
  const commands = new Set<string>(table.map(({ operation }) => operation));
  assert.deepEqual(
    Object.keys(NO_COMMANDS).filter((name) => !names.has(name) || commands.has(name)),
    [],
  );
  assert.deepEqual(
    Object.keys(CHOSEN_NAMES).filter((name) => !names.has(name)),
    [],
  );
});

test('the commands that the console names are those of the table', () => {
  const named = (Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[]).filter(isCommand);
  assert.deepEqual(
    named,
    table.map(({ operation }) => operation),
  );
});

test('gives every command unique words', () => {
  const words = table.map((row) => row.words.join(' '));
  assert.deepEqual(
    words.filter((each, index) => words.indexOf(each) !== index),
    [],
  );
  for (const each of words) assert.match(each, /^[a-z0-9-]+( [a-z0-9-]+){1,2}$/);
});

test('no command is a prefix of another one', () => {
  const all = [...new Set([...table, ...HAND_COMMANDS].map((row) => row.words.join(' ')))];
  const prefixes = all.filter((each) => all.some((other) => other.startsWith(`${each} `)));
  assert.deepEqual(prefixes, []);
});

test('takes secrets from files only', () => {
  const secrets = table
    .flatMap(({ flags }) => flags)
    .filter(({ member }) => /^(client_)?secret$|password|private_key|refresh_token/.test(member));
  assert.ok(secrets.length > 5);
  for (const { flag, kind, words } of secrets) if (words === undefined) assert.ok(kind === 'secret' || kind === 'boolean', flag);
});

test('asks for confirmation before irreversible commands, and marks commands that need a step-up', () => {
  const row = (words: string) => table.find((each) => each.words.join(' ') === words);
  assert.deepEqual([row('agents revoke')?.danger, row('agents revoke')?.stepUp], [true, 'always']);
  assert.deepEqual([row('agents list')?.danger, row('agents list')?.stepUp], [false, 'never']);
  assert.equal(row('env set-mode')?.stepUp, 'when_reducing');
  assert.equal(row('workspaces create')?.danger, false);
});
