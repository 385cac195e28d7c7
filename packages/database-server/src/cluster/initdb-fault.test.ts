import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findInitdbFault } from './initdb-fault.ts';

const said = (stderr: string, initdb = '/srv/project/bin/initdb'): string =>
  findInitdbFault('/data', initdb, { signal: null, stderr }).message;

test('reports to a user without a name, as in containers, that a name is required, and does not blame the disk', () => {
  const why = said('initdb: could not look up effective user ID 12345: user does not exist\n');
  assert.match(why, /user ID 12345.*\/etc\/passwd.*DATABASE_URL/);
  assert.doesNotMatch(why, /disk/);
});

test('instructs the operator to move a project whose folder name a shell would interpret', () => {
  for (const sign of ['"', '$', '`', '\\'])
    assert.match(said('sh: 1: Syntax error: Unterminated quoted string\n', `/srv/a${sign}b/bin/initdb`), /Move the project/);
  assert.match(said('initdb: error: could not create directory: No space left on device', '/srv/a"b/bin/initdb'), /disk has free space/);
});

test('reports any other failure with its place, and a Ctrl-C as an interruption', () => {
  assert.match(said('initdb: error: could not create directory: No space left on device'), /\/data .*No space left.*disk has free space/);
  assert.match(findInitdbFault('/data', '/bin/initdb', { signal: 'SIGINT', stderr: '' }).message, /^Stopped while/);
});
