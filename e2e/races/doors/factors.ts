import { newAuthenticator } from '@svc/testing/people/authenticator.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import {
  beginSignIn,
  computeTotpCode,
  type EnrolledTotp,
  enrolPasskey,
  getOrigin,
  stepUpAndEnrol,
  waitForWithinStep,
} from '@svc/testing/people/second-factors.ts';
import { type SignedUp, signUp, stepUp } from '@svc/testing/people/tenant.ts';
import type { Race, RaceCase } from '../race.ts';
import type { RaceScene } from '../scene.ts';

type Person = SignedUp & EnrolledTotp;

const post = (url: string, path: string, body: object, token?: string): Promise<TestResponse> => call(url, 'POST', path, { token, body });

const newPerson = async ({ urls: [base = ''] }: RaceScene): Promise<Person> => {
  const person = await signUp(base);
  return { ...person, ...(await stepUpAndEnrol(base, person)) };
};

const readChallenges = async ({ urls: [base = ''] }: RaceScene, person: Person, count: number): Promise<string[]> => {
  const begun = await Promise.all(Array.from({ length: count }, () => beginSignIn(base, person)));
  return begun.map(({ mfa_challenge }) => mfa_challenge);
};

const SIGN_INS = 6;

/** Uses one proof at several pending sign-ins, and at step-ups of a session. */
const everywhere = async (scene: RaceScene, person: Person, proof: object): Promise<Race> => {
  const challenges = await readChallenges(scene, person, SIGN_INS);
  return {
    use: (n, url) => {
      const mfa_challenge = challenges[n];
      return mfa_challenge === undefined
        ? post(url, '/v1/auth/step-up', proof, person.token)
        : post(url, '/v1/auth/mfa/verify', { mfa_challenge, ...proof });
    },
  };
};

const usedCodes = async ({ owner }: RaceScene, { user }: Person): Promise<number> =>
  (await owner.query('select count(*)::int as n from recovery_codes where user_id = $1 and used_at is not null', [user.id])).rows[0].n;

const askedDevice = async (scene: RaceScene) => {
  const [person, base] = [await newPerson(scene), scene.urls[0] ?? ''];
  const [mfa_challenge = ''] = await readChallenges(scene, person, 1);
  const body = { mfa_challenge, method: 'DEVICE' };
  const { device_approval: asked } = await mustCall(base, 'POST', '/v1/auth/mfa/challenge', { body });
  const approve = (url: string) => post(url, `/v1/auth/mfa/device-approvals/${asked.id}/approve`, { number: asked.number }, person.token);
  return { approve, verify: (url: string) => post(url, '/v1/auth/mfa/verify', { mfa_challenge, device_approval_id: asked.id }) };
};

/** In a browser, so with the name that passkeys are bound to. */
const getAuthenticator = ({ urls: [base = ''] }: RaceScene) => newAuthenticator(getOrigin(base));

export const FACTORS: readonly RaceCase[] = [
  {
    name: 'a recovery code, at sign-ins and step-ups',
    // A sign-in or a step-up wins.
    opens: 0,
    opensMax: 1,
    loses: ['INVALID_CREDENTIALS'],
    ready: async (scene) => {
      const person = await newPerson(scene);
      return everywhere(scene, person, { recovery_code: person.recoveryCodes[0] });
    },
  },
  {
    name: 'a code of a generator, at sign-ins and step-ups',
    opens: 0,
    opensMax: 1,
    loses: ['INVALID_CREDENTIALS'],
    ready: async (scene) => {
      const person = await newPerson(scene);
      await waitForWithinStep();
      return everywhere(scene, person, { code: computeTotpCode(person.secret) });
    },
  },
  {
    name: 'the challenge of a sign-in, with proofs that are all right',
    expire: "update mfa_challenges set expires_at = now() - interval '1 second'",
    opens: 1,
    loses: ['INVALID_CREDENTIALS'],
    ready: async (scene) => {
      const person = await newPerson(scene);
      const [mfa_challenge] = await readChallenges(scene, person, 1);
      await waitForWithinStep();
      const proofs = [...person.recoveryCodes.map((recovery_code) => ({ recovery_code })), { code: computeTotpCode(person.secret) }];
      return {
        use: (n, url) => post(url, '/v1/auth/mfa/verify', { mfa_challenge, ...proofs[n % proofs.length] }),
        faults: async () => ((await usedCodes(scene, person)) <= 1 ? [] : ['proofs were used up that let nobody in']),
      };
    },
  },
  {
    name: 'the approval of a sign-in by a device, given',
    expire: "update device_approvals set expires_at = now() - interval '1 second'",
    opens: 0,
    loses: ['GONE'],
    ready: async (scene) => {
      const { approve } = await askedDevice(scene);
      return { use: (_, url) => approve(url) };
    },
  },
  {
    name: 'the approval of a sign-in by a device, used',
    expire: "update mfa_challenges set expires_at = now() - interval '1 second'",
    opens: 1,
    loses: ['INVALID_CREDENTIALS'],
    ready: async (scene) => {
      const { approve, verify } = await askedDevice(scene);
      await approve(scene.urls[0] ?? '');
      return { use: (_, url) => verify(url) };
    },
  },
  {
    name: 'the first code of a generator that is enrolled',
    expire: "update second_factors set created_at = created_at - interval '601 seconds' where confirmed_at is null",
    opens: 0,
    loses: ['NOT_FOUND'],
    ready: async ({ urls: [base = ''] }) => {
      const person = await signUp(base);
      await stepUp(base, person);
      const { id, secret } = await mustCall(base, 'POST', '/v1/auth/mfa/totp', { token: person.token, body: { name: 'Phone' } });
      await waitForWithinStep();
      const body = { code: computeTotpCode(secret) };
      return { use: (_, url) => post(url, `/v1/auth/mfa/totp/${id}/confirm`, body, person.token) };
    },
  },
  {
    name: 'what a passkey signed for a sign-in without a password',
    opens: 1,
    loses: ['INVALID_CREDENTIALS'],
    ready: async (scene) => {
      const [base, person] = [scene.urls[0] ?? '', await signUp(scene.urls[0] ?? '')];
      await stepUp(base, person);
      const { authenticator } = await enrolPasskey(base, person);
      const { public_key } = await mustCall(base, 'POST', '/v1/auth/passkey/start', { body: {} });
      const passkey = authenticator.get(public_key);
      return { use: (_, url) => post(url, '/v1/auth/passkey/verify', { passkey }) };
    },
  },
  {
    name: 'what a passkey signed when it was enrolled',
    opens: 0,
    loses: ['VALIDATION_FAILED', 'CONFLICT'],
    ready: async (scene) => {
      const [base, person] = [scene.urls[0] ?? '', await signUp(scene.urls[0] ?? '')];
      await stepUp(base, person);
      const { public_key } = await mustCall(base, 'POST', '/v1/auth/mfa/passkeys/options', { token: person.token, body: {} });
      const passkey = getAuthenticator(scene).create(public_key);
      return { use: (_, url) => post(url, '/v1/auth/mfa/passkeys', { name: 'Key', passkey }, person.token) };
    },
  },
];
