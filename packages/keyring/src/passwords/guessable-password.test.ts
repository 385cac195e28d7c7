import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dictionary } from '@zxcvbn-ts/language-common';
import { formatContextWords, isGuessable } from './guessable-password.ts';

const ADA = ['ada.lovelace@example.com', 'Ada Lovelace', 'Analytical Engines Ltd'];

const guessable = [
  'password1234',
  'Password1234!',
  'P@ssw0rdP@ssw0rd',
  'qwertyuiop123',
  '1q2w3e4r5t6y',
  '123456789012',
  'aaaaaaaaaaaa',
  'abcdefghijkl',
  'letmeinletmein',
  'iloveyou1234',
  'Welcome2026!!',
  'Summer2026!!',
  'changeme1234',
  'administrator',
  'hunter2hunter2',
  'password'.repeat(32),
  'x'.repeat(256),
  'governance-gateway',
  'Controlplane2026!',
  'agentgovernance1',
  'ada.lovelace',
  'AdaLovelace1815',
  'analyticalengines',
  'Analytical Engines Ltd',
  'ada.lovelace@example.com',
];
const sound = [
  'correct horse battery staple',
  'twelve chars ok',
  'kX9!mQ2#vL7p',
  'j7ghq2kdp0qz',
  'my dog is called rex',
  'пароль из нескольких слов',
  'ZvZv horse under the moon',
];

for (const password of guessable) test(`rejects ${password.slice(0, 30)}`, async () => assert.ok(await isGuessable(password, ADA)));
for (const password of sound) test(`accepts ${password}`, async () => assert.ok(!(await isGuessable(password, ADA))));

test('splits what is known of a user into a bounded number of words of bounded length', () => {
  assert.deepEqual(formatContextWords(['ada@ex.org', 'Ada B']), ['ada@ex.org', 'ada', 'org', 'ada b']);
  const many = formatContextWords(Array.from({ length: 500 }, (_, index) => `${'w'.repeat(200)}${index} word${index}`));
  assert.ok(many.length <= 24 && many.every((word) => word.length <= 32));
});

test('rejects the 3,000 most common breached passwords of eight characters, each tenth tried, and all of fifteen', async () => {
  const listed = dictionary['passwords-common'] as readonly string[];
  const ofEight = listed.filter((password) => password.length >= 8).slice(0, 3_000);
  const ofFifteen = listed.filter((password) => password.length >= 15);
  assert.ok(ofEight.length === 3_000 && ofFifteen.length > 30, `${ofEight.length}, ${ofFifteen.length} of ${listed.length}`);
  for (const password of ofEight.filter((_, index) => index % 10 === 0)) assert.ok(await isGuessable(password, [], true), password);
  for (const password of ofFifteen) assert.ok(await isGuessable(password, []), password);
});

test('judges any input in bounded time', async () => {
  await isGuessable('warm up the estimator', []);
  const dear = ['|!1'.repeat(85), '@4$5013!(8{['.repeat(21), '9191991111919919'.repeat(16), '(4@8{[<36]'.repeat(25)];
  const { user, system } = process.cpuUsage();
  for (const password of dear) await isGuessable(password, ['w'.repeat(120), ...ADA]);
  const spent = process.cpuUsage({ user, system });
  assert.ok((spent.user + spent.system) / 1000 / dear.length < 1_500, `${JSON.stringify(spent)} µs`);
});
