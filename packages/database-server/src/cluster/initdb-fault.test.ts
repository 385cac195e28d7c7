import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initdbFault } from './initdb-fault.ts';

const said = (stderr: string, initdb = '/srv/project/bin/initdb'): string => initdbFault('/data', initdb, { signal: null, stderr }).message;

test('a user without a name, as containers have, is told that it needs one, and not to look at the disk', () => {
  const why = said('initdb: could not look up effective user ID 12345: user does not exist\n');
  assert.match(why, /user ID 12345.*\/etc\/passwd.*DATABASE_URL/);
  assert.doesNotMatch(why, /disk/);
});

test('a project in a folder that a shell reads in its own way is told to be moved', () => {
  for (const sign of ['"', '$', '`', '\\'])
    assert.match(said('sh: 1: Syntax error: Unterminated quoted string\n', `/srv/a${sign}b/bin/initdb`), /Move the project/);
  assert.match(said('initdb: error: could not create directory: No space left on device', '/srv/a"b/bin/initdb'), /disk has free space/);
});

test('anything else is told with where, and a Ctrl-C as what it is', () => {
  assert.match(said('initdb: error: could not create directory: No space left on device'), /\/data .*No space left.*disk has free space/);
  assert.match(initdbFault('/data', '/bin/initdb', { signal: 'SIGINT', stderr: '' }).message, /^Stopped while/);
});
