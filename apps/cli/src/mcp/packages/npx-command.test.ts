import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUnpinnable, readNpxCommand } from './npx-command.ts';

type Read = {
  readonly name: string;
  readonly wanted?: string;
  readonly bin?: string;
  readonly args: readonly string[];
  readonly pinned: string;
};

const READ: readonly (readonly [words: string, read: Read])[] = [
  ['npx notes', { name: 'notes', args: [], pinned: 'notes@1.2.3' }],
  ['npx -y notes --all .', { name: 'notes', args: ['--all', '.'], pinned: '-y notes@1.2.3 --all .' }],
  ['/usr/bin/npx --yes @team/notes@^1 -y', { name: '@team/notes', wanted: '^1', args: ['-y'], pinned: '--yes @team/notes@1.2.3 -y' }],
  ['npx.cmd -y notes@latest', { name: 'notes', wanted: 'latest', args: [], pinned: '-y notes@1.2.3' }],
  ['npx -p notes run --x', { name: 'notes', bin: 'run', args: ['--x'], pinned: '-p notes@1.2.3 run --x' }],
  [
    'npx -y --package=@team/notes@1 -- run',
    { name: '@team/notes', wanted: '1', bin: 'run', args: [], pinned: '-y --package=@team/notes@1.2.3 -- run' },
  ],
  ['npx -y -- notes -p x', { name: 'notes', args: ['-p', 'x'], pinned: '-y -- notes@1.2.3 -p x' }],
];

test('reads the package, the program and the arguments of npx, and pins the version in its place', () => {
  for (const [words, { name, wanted, bin, args, pinned }] of READ) {
    const [program = '', ...rest] = words.split(' ');
    const read = readNpxCommand(program, rest);
    assert.ok(read !== undefined && !isUnpinnable(read), words);
    assert.deepEqual([read.name, read.wanted, read.bin, read.args], [name, wanted, bin, args], words);
    assert.equal(read.withVersion('1.2.3').join(' '), pinned);
  }
});

test('pins no package of another kind, and no command that it does not know', () => {
  for (const words of [
    ...['npx', 'npx -y', 'npx -c notes', 'npx -p a -p b run', 'npx --registry=https://x.example notes', 'npx --prefer-offline notes'],
    ...[
      'npx git+https://x.example/notes.git',
      'npx ./notes',
      'npx notes@https://x.example/notes.tgz',
      'npx user/notes',
      'npx -y notes@1||2',
    ],
    ...['npx -p', 'npx --package=--all notes', 'uvx notes', 'uv tool run notes', 'bunx notes'],
  ]) {
    const [program = '', ...rest] = words.split(' ');
    const read = readNpxCommand(program, rest);
    assert.ok(read !== undefined && isUnpinnable(read) && read.reason !== '', words);
  }
  for (const program of ['node', 'docker', '/opt/npx-server', 'npxx']) assert.equal(readNpxCommand(program, ['notes']), undefined);
});
