import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { notAddresses } from './address-spellings.ts';
import type { SecretOwner } from './place.ts';
import { listVariants, type Spellings } from './text-spellings.ts';

/** A member of a body or a query that accepts a secret. */
export type SecretMemberCase = {
  readonly name: string;
  readonly wrong: (place: SecretOwner) => Spellings;
  readonly ask: (place: SecretOwner, value: unknown) => Promise<TestResponse>;
  /** Codes that any wrong value may get. */
  readonly codes: readonly ErrorCode[];
  /** True if some values are well-formed guesses, which are counted; nothing else is ever stored. */
  readonly counts?: boolean;
  /** Sends the right value afterwards: it must still be valid. */
  readonly right?: (place: SecretOwner) => Promise<TestResponse>;
};

const post = ({ url }: SecretOwner, path: string, body: object, token?: string): Promise<TestResponse> =>
  call(url, 'POST', path, { token, body });

const NEW_PASSWORD = 'a phrase of nobody in particular';
const MALFORMED = ['VALIDATION_FAILED'] as const;

type Body = (place: SecretOwner, value: unknown) => object;
type Six = { readonly name: string; readonly path: string | ((place: SecretOwner) => string); readonly body: Body };
type Code = { readonly right: (place: SecretOwner) => string; readonly token?: (place: SecretOwner) => string };

/** Six digits. Their format is so strict that no wrong variant counts as a guess, and all of them together use nothing up. */
const digits = ({ name, path, body }: Six, { right, token }: Code): SecretMemberCase => {
  const ask = (place: SecretOwner, value: unknown) =>
    post(place, typeof path === 'string' ? path : path(place), body(place, value), token?.(place));
  return { name, wrong: (place) => listVariants(right(place)), ask, codes: MALFORMED, right: (place) => ask(place, right(place)) };
};

/** Used if another endpoint consumes the right value. */
const withoutRight = ({ right, ...door }: SecretMemberCase): SecretMemberCase => door;

const DIGITS: readonly SecretMemberCase[] = [
  digits(
    { name: 'the code of a sign-up', path: '/v1/auth/signup/verify', body: ({ signUp }, code) => ({ email: signUp.email, code }) },
    { right: ({ signUp }) => signUp.code },
  ),
  digits(
    {
      name: 'the code of a forgotten password',
      path: '/v1/auth/password/reset',
      body: ({ reset }, code) => ({ email: reset.email, code, new_password: NEW_PASSWORD }),
    },
    { right: ({ reset }) => reset.code },
  ),
  digits(
    {
      name: 'the first code of a generator',
      path: ({ enrolling }) => `/v1/auth/mfa/totp/${enrolling.id}/confirm`,
      body: (_, code) => ({ code }),
    },
    { right: ({ enrolling }) => enrolling.code, token: ({ enrolling }) => enrolling.token },
  ),
  digits(
    { name: 'the code of a generator at a step-up', path: '/v1/auth/step-up', body: (_, code) => ({ code }) },
    { right: ({ totp }) => totp, token: ({ factored }) => factored.token },
  ),
  withoutRight(
    digits(
      {
        name: 'the code of a generator at a sign-in',
        path: '/v1/auth/mfa/verify',
        body: ({ challenge }, code) => ({ mfa_challenge: challenge, code }),
      },
      { right: ({ totp }) => totp },
    ),
  ),
];

const sameRecoveryCode = (right: string) => (text: string) => text.replaceAll('-', '').toLowerCase() === right.replaceAll('-', '');
const recovery = (name: string, path: string, body: Body, token?: (place: SecretOwner) => string): SecretMemberCase => ({
  name,
  wrong: ({
    factored: {
      recoveryCodes: [right = ''],
    },
  }) => listVariants(right, sameRecoveryCode(right)),
  ask: (place, value) => post(place, path, body(place, value), token?.(place)),
  codes: ['VALIDATION_FAILED', 'INVALID_CREDENTIALS'],
  counts: true,
});

const RECOVERY: readonly SecretMemberCase[] = [
  recovery(
    'a recovery code at a step-up',
    '/v1/auth/step-up',
    (_, recovery_code) => ({ recovery_code }),
    ({ factored }) => factored.token,
  ),
  {
    ...recovery('a recovery code at a sign-in', '/v1/auth/mfa/verify', ({ challenge }, recovery_code) => ({
      mfa_challenge: challenge,
      recovery_code,
    })),
    right: (place) =>
      post(place, '/v1/auth/mfa/verify', { mfa_challenge: place.challenge, recovery_code: place.factored.recoveryCodes[0] }),
  },
];

type Secret = { readonly name: string; readonly path: string; readonly member: string; readonly right: (place: SecretOwner) => string };

/** A secret too long to guess is looked up without counting. */
const secret = (
  { name, path, member, right }: Secret,
  codes: readonly ErrorCode[],
  more: (place: SecretOwner) => object = () => ({}),
): SecretMemberCase => ({
  name,
  wrong: (place) => listVariants(right(place)),
  ask: (place, value) => post(place, path, { ...more(place), [member]: value }, path.endsWith('/join') ? place.tenant.token : undefined),
  codes: ['VALIDATION_FAILED', ...codes],
});

const invitation = (name: string, path: string, more: object = {}): SecretMemberCase =>
  secret({ name, path, member: 'code', right: (place) => place.invitation.code }, ['GONE'], () => more);
const challenge = (name: string, path: string, more: (place: SecretOwner) => object): SecretMemberCase =>
  secret({ name, path, member: 'mfa_challenge', right: (place) => place.challenge }, ['INVALID_CREDENTIALS'], more);
const redeem = (name: string, member: string, right: (place: SecretOwner) => string): SecretMemberCase =>
  secret({ name, path: '/v1/auth/cli/token', member, right }, ['INVALID_CREDENTIALS'], ({ loopback: { terminal, code } }) => ({
    request_id: terminal.request_id,
    code_verifier: terminal.code_verifier,
    code,
  }));

const SECRETS: readonly SecretMemberCase[] = [
  invitation('the code of an invitation that is read', '/v1/auth/invitations/read'),
  invitation('the code of an invitation that is joined', '/v1/auth/invitations/join'),
  invitation('the code of an invitation that is accepted', '/v1/auth/invitations/accept', { name: 'N', password: NEW_PASSWORD }),
  challenge('the challenge of a sign-in', '/v1/auth/mfa/verify', ({ factored }) => ({ recovery_code: factored.recoveryCodes[1] })),
  challenge('the challenge that a device is asked for', '/v1/auth/mfa/challenge', () => ({ method: 'DEVICE' })),
  redeem('the request of a terminal', 'request_id', ({ loopback }) => loopback.terminal.request_id),
  redeem('the verifier of a terminal', 'code_verifier', ({ loopback }) => loopback.terminal.code_verifier),
  {
    ...redeem('the code of a terminal', 'code', ({ loopback }) => loopback.code),
    right: (place) => {
      const { terminal, code } = place.loopback;
      return post(place, '/v1/auth/cli/token', { request_id: terminal.request_id, code_verifier: terminal.code_verifier, code });
    },
  },
];

const sameUserCode = (right: string) => (text: string) => text.replace('-', '').toUpperCase() === right.replace('-', '');
const approve = (place: SecretOwner, user_code: unknown) =>
  post(place, `/v1/auth/cli/requests/${place.device.request_id}/approve`, { user_code }, place.tenant.token);
const find = ({ url, tenant }: SecretOwner, query: string) => call(url, 'GET', `/v1/auth/cli/requests?${query}`, { token: tenant.token });

/** Keeps variants that a query can carry: texts without unpaired surrogates. */
const texts = (spellings: Spellings): Spellings =>
  Object.fromEntries(
    Object.entries(spellings).filter(([, value]) => typeof value === 'string' && value.isWellFormed() && value.length < 1_000),
  );

const TERMINALS: readonly SecretMemberCase[] = [
  {
    name: 'the code that a terminal shows, in a query',
    wrong: ({ device: { user_code: right } }) => texts(listVariants(right, sameUserCode(right))),
    ask: (place, value) => find(place, `user_code=${encodeURIComponent(String(value))}`),
    codes: ['VALIDATION_FAILED', 'INVALID_REQUEST'],
    right: (place) => find(place, `user_code=${place.device.user_code.toLowerCase()}`),
  },
  {
    name: 'the code that a terminal shows',
    wrong: ({ device: { user_code: right } }) => listVariants(right, sameUserCode(right)),
    ask: approve,
    codes: MALFORMED,
    right: (place) => approve(place, place.device.user_code.toLowerCase().replace('-', '')),
  },
];

const address = (name: string, path: string, more: object, invites = false): SecretMemberCase => ({
  name,
  wrong: ({ tenant }) => notAddresses(tenant.email),
  ask: (place, email) => post(place, path, { email, ...more }, invites ? place.tenant.token : undefined),
  codes: MALFORMED,
});

const PERSON = { password: NEW_PASSWORD, name: 'N', organizationName: 'O' };
const ADDRESSES: readonly SecretMemberCase[] = [
  address('the address of a sign-up', '/v1/auth/signup', PERSON),
  address('the address of a sign-up by mail', '/v1/auth/signup/start', PERSON),
  address('the address of a code', '/v1/auth/signup/verify', { code: '000000' }),
  address('the address of a forgotten password', '/v1/auth/password/reset/start', {}),
  address('the address of a new password', '/v1/auth/password/reset', { code: '000000', new_password: NEW_PASSWORD }),
  address('the address of somebody invited', '/v1/members/invitations', { role_id: 'rol_00000000000000000000000007' }, true),
  {
    ...address('the address of a sign-in', '/v1/auth/login', { password: NEW_PASSWORD }),
    codes: ['VALIDATION_FAILED', 'INVALID_CREDENTIALS'],
    counts: true,
  },
  {
    name: 'the address of a single sign-on',
    wrong: ({ tenant }) => texts(notAddresses(tenant.email)),
    ask: ({ url }, value) => call(url, 'GET', `/v1/auth/sso/start?email=${encodeURIComponent(String(value))}`),
    codes: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_REQUEST'],
    counts: true,
  },
];

/** In order of execution: right values come last, and none is used early. */
export const ENDPOINTS: readonly SecretMemberCase[] = [...DIGITS, ...RECOVERY, ...SECRETS, ...TERMINALS, ...ADDRESSES];
