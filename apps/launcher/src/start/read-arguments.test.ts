import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HELP, readArguments } from './read-arguments.ts';

test('demo data is requested after the two dashes, without them, and as an argument', () => {
  const passedOn = { npm_lifecycle_event: 'start', npm_config_demo: 'true' };
  for (const asked of [readArguments(['--demo'], {}), readArguments(['demo'], {}), readArguments([], passedOn)])
    assert.deepEqual(asked, { what: 'start', withDemo: true });
  for (const env of [{}, { npm_config_demo: 'true' }, { ...passedOn, npm_config_demo: '' }])
    assert.deepEqual(readArguments([], env), { what: 'start', withDemo: false });
});

test('help and version are shown before anything is started, with any other arguments', () => {
  for (const word of ['--help', '-h', 'help']) assert.deepEqual(readArguments(['--demo', word], {}), { what: 'help' });
  for (const word of ['--version', '-v', 'version']) assert.deepEqual(readArguments([word], {}), { what: 'version' });
  for (const command of [
    'npm start -- --demo',
    'npm run ops -- backup',
    'npm run ops -- restore',
    'npm run ops -- break-glass',
    'npm run demo',
  ])
    assert.ok(HELP.includes(command), command);
  assert.match(HELP, /^Starts PostgreSQL, the control plane, the gateway and a worker,/);
});

test('an unknown argument is reported in a message', () => {
  for (const word of ['--dmeo', '', 'toString', '--demo=true'])
    assert.deepEqual(readArguments([word], {}), { fault: `${word} is not recognized: see "npm start help".` });
});
