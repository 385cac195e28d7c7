import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { LIMITS, SETTINGS } from '@svc/contract/tables/limits.ts';
import { PASSWORD_LENGTH_RULE } from '@svc/contract/tables/password-rule.ts';
import { PASSWORD_WORDS } from '@svc/contract/tables/vocabulary.ts';

const document = readFileSync(path.resolve(import.meta.dirname, '../../docs/operating/security-settings.md'), 'utf8');

/** Returns the text below a heading, up to the next one. */
const part = (heading: string): string => document.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
/** Returns the cells of the first table of a part. */
const listRows = (heading: string): string[][] =>
  [...part(heading).matchAll(/^\| (?!---)(.*) \|$/gm)].slice(1).map(([, row = '']) => row.split(/ ?\| ?/).map((cell) => cell.trim()));

const { sessions, codes, rates, secondFactors, passwordResets, mail, cliRequests, passwords } = LIMITS;
const setting = (name: keyof typeof SETTINGS): string => `\`${SETTINGS[name]}\``;

describe('the page of security settings', () => {
  test('states every limit against guessing as the tables have it, with its setting', () => {
    const attempts = [String(sessions.loginAttemptsMax), setting('loginAttemptsMax')];
    const told = listRows('Limits against guessing').map(([, ...cells]) => cells);
    assert.deepEqual(told, [
      attempts,
      attempts,
      [String(secondFactors.vouchedGuessesMax), ''],
      [String(sessions.loginAttemptsMax * LIMITS.addressGuesses.perAccountGuessCount), setting('loginAttemptsMax')],
      [String(sessions.lockoutSeconds), setting('lockoutSeconds')],
      [String(rates.loginPerMinute), '`SVC_RATE_LOGIN_PER_MINUTE`'],
      [String(Math.ceil(rates.loginPerMinute / 6)), '`SVC_RATE_LOGIN_PER_MINUTE`'],
      [String(secondFactors.challengeAttemptsMax), ''],
      [String(codes.attemptsMax), ''],
      [String(codes.lifetimeSeconds), ''],
      [String(passwordResets.perHourMax), ''],
      [String(mail.perRecipientPerHourMax), ''],
      [String(cliRequests.pendingPerAddressMax), ''],
      [String(passwords.unprovenParallelMax), ''],
    ]);
    for (const life of [secondFactors.challengeLifetimeSeconds, cliRequests.lifetimeSeconds]) assert.equal(life, codes.lifetimeSeconds);
    assert.ok(part('Limits against guessing').includes(PASSWORD_LENGTH_RULE));
    const guide = readFileSync(new URL('../../docs/guides/passwords-and-sessions.md', import.meta.url), 'utf8');
    assert.ok(guide.includes(PASSWORD_LENGTH_RULE));
  });

  test('states how long sessions last as the tables have it, within the requirements of NIST SP 800-63B-4', () => {
    assert.deepEqual(
      listRows('How long a session lasts').map(([, ...cells]) => cells),
      [
        [String(sessions.lifetimeSeconds), setting('sessionLifetimeSeconds')],
        [String(sessions.idleTimeoutSeconds), setting('sessionIdleTimeoutSeconds')],
        [String(sessions.stepUpLifetimeSeconds), '`STEP_UP_TTL_SECONDS`'],
        [String(LIMITS.agentTokens.lifetimeSeconds), '`AGENT_TOKEN_TTL_SECONDS`'],
      ],
    );
    assert.ok(sessions.lifetimeSeconds <= 86_400 && sessions.idleTimeoutSeconds <= 3_600);
  });

  test('names exactly the rows that open a session', () => {
    const told = new Set(
      [...part('Ways to sign in').matchAll(/`(\w+)`/g)]
        .map(([, name = '']) => name)
        .filter((name) => !/^(npm|amr|trusts_mfa|require_mfa|[A-Z_]+)$/.test(name)),
    );
    const opening = Object.entries<Endpoint>(ENDPOINTS).flatMap(([name, row]) =>
      row.session === 'opens' || row.emits.some((event) => event === 'cli.session_issued' || event === 'user.login_succeeded')
        ? [name]
        : [],
    );
    assert.deepEqual(
      opening.filter((name) => !told.has(name)),
      [],
    );
    assert.deepEqual(
      [...told].filter((name) => !Object.hasOwn(ENDPOINTS, name)),
      [],
    );
  });

  test('lists the words that passwords may not contain', () => {
    const told = [...part('Words no password is made of').matchAll(/`([^`]+)`/g)].map(([, word]) => word);
    assert.deepEqual(told, [...PASSWORD_WORDS]);
  });
});

test('no row accepts or returns a hint, a secret question or a telephone number', () => {
  const text = JSON.stringify(ENDPOINTS);
  for (const word of ['"hint"', 'secret_question', 'security_question', 'security_answer', '"phone', '"sms'])
    assert.ok(!text.includes(word), word);
});
