import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { type Authenticator, newAuthenticator } from './authenticator.ts';
import { mustCall } from './client.ts';
import { type SignedUp, stepUp } from './tenant.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const fromBase32 = (text: string): Buffer => {
  const bits = [...text].map((char) => ALPHABET.indexOf(char).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/** Computes the code of a secret (RFC 6238), so many 30-second steps from now; without the library under test. */
export const computeTotpCode = (secret: string, stepsAsideMax = 0): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + stepsAsideMax));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const at = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
};

const STEP_MS = 30_000;
const ROOM_MS = 2_000;

/** Waits until enough of the current step is left, so that a code is sent in the step it was computed for. */
export const waitForWithinStep = async (): Promise<void> => {
  const left = STEP_MS - (Date.now() % STEP_MS);
  if (left < ROOM_MS) await new Promise((resolve) => setTimeout(resolve, left));
};

/** Returns six digits that are no current code. */
export const getWrongCode = (secret: string): string => {
  const right = new Set(Array.from({ length: 9 }, (_, index) => computeTotpCode(secret, index - 4)));
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555', '666666', '777777', '888888', '999999'].find((code) => !right.has(code)) ??
    ''
  );
};

/** Lets used codes be used again, so that a test need not wait for the next. */
export const forgetSteps = async (database: pg.Client, userId: string): Promise<void> => {
  await database.query('update second_factors set last_step = null where user_id = $1', [userId]);
};

export type EnrolledTotp = { readonly factorId: string; readonly secret: string; readonly recoveryCodes: readonly string[] };

type Session = Pick<SignedUp, 'token'>;

/** Enrols a TOTP secret in a stepped-up session; its codes before this step are used up. */
export const enrolTotp = async (controlUrl: string, { token }: Session, name = 'Phone'): Promise<EnrolledTotp> => {
  const { id, secret } = await mustCall(controlUrl, 'POST', '/v1/auth/mfa/totp', { token, body: { name } });
  await waitForWithinStep();
  const body = { code: computeTotpCode(secret, -1) };
  const { recovery_codes = [] } = await mustCall(controlUrl, 'POST', `/v1/auth/mfa/totp/${id}/confirm`, { token, body });
  return { factorId: id, secret, recoveryCodes: recovery_codes };
};

/** Does the same after a step-up with the password. */
export const stepUpAndEnrol = async (controlUrl: string, person: Pick<SignedUp, 'token' | 'password'>): Promise<EnrolledTotp> => {
  await stepUp(controlUrl, person);
  return enrolTotp(controlUrl, person);
};

/** Returns the origin of passkeys in tests: the plane by host name. */
export const getOrigin = (controlUrl: string): string => controlUrl.replace('127.0.0.1', 'localhost');

export type EnrolledPasskey = {
  readonly factorId: string;
  readonly authenticator: Authenticator;
  readonly recoveryCodes: readonly string[];
};

/** Enrols a passkey in a stepped-up session. */
export const enrolPasskey = async (controlUrl: string, { token }: Session, name = 'Laptop'): Promise<EnrolledPasskey> => {
  const { public_key } = await mustCall(controlUrl, 'POST', '/v1/auth/mfa/passkeys/options', { token, body: {} });
  const authenticator = newAuthenticator(getOrigin(controlUrl));
  const body = { name, passkey: authenticator.create(public_key) };
  const { factor, recovery_codes = [] } = await mustCall(controlUrl, 'POST', '/v1/auth/mfa/passkeys', { token, body });
  return { factorId: factor.id, authenticator, recoveryCodes: recovery_codes };
};

/** Begins a sign-in by password that waits for its second factor. */
export const beginSignIn = (controlUrl: string, { email, password }: Pick<SignedUp, 'email' | 'password'>): Promise<TestMfaChallenge> =>
  mustCall(controlUrl, 'POST', '/v1/auth/login', { body: { email, password } });

export type TestMfaChallenge = {
  readonly mfa_required: true;
  readonly mfa_challenge: string;
  readonly methods: readonly string[];
  readonly expires_at: string;
};
