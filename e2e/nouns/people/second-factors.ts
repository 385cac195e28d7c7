import { newAuthenticator } from '@svc/testing/people/authenticator.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import {
  beginSignIn,
  computeTotpCode,
  enrolPasskey,
  enrolTotp,
  forgetSteps,
  getOrigin,
  getWrongCode,
  stepUpAndEnrol,
} from '@svc/testing/people/second-factors.ts';
import { signUp, stepUp } from '@svc/testing/people/tenant.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import type { NounTests } from '../noun-tests.ts';
import { SYSTEM } from '../scene/play.ts';
import type { NounScene } from '../scene/scene.ts';

export const authenticateWithFactor = ({ user }: { readonly user: { readonly id: string } }) => ({ type: 'USER', id: user.id });

/** Creates a user whose TOTP secret accepts the current code. */
export const withTotp = async ({ planes, database }: NounScene) => {
  const person = await signUp(planes.controlUrl);
  const totp = await stepUpAndEnrol(planes.controlUrl, person);
  await forgetSteps(database, person.user.id);
  const send = (method: string, path: string, body?: object) => call(planes.controlUrl, method, path, { token: person.token, body });
  const challenge = async () => (await beginSignIn(planes.controlUrl, person)).mfa_challenge;
  return { person, totp, send, challenge };
};

const withStepUp = async ({ planes }: NounScene) => {
  const person = await signUp(planes.controlUrl);
  await stepUp(planes.controlUrl, person);
  return { person, send: (path: string, body: object) => call(planes.controlUrl, 'POST', path, { token: person.token, body }) };
};

const signedBy = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' };

const assertion = { ...signedBy, response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' } };

const attestation = { ...signedBy, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } };

export const secondFactorTests = {
  bodies: () => ({
    verifyMfa: { mfa_challenge: 'x', code: '000000' },
    prepareMfa: { mfa_challenge: 'x', method: 'DEVICE' },
    enrolTotp: {},
    confirmTotp: { code: '000000' },
    confirmFactor: {},
    preparePasskey: {},
    enrolPasskey: { passkey: attestation },
    regenerateRecoveryCodes: {},
    startPasskeySignIn: {},
    verifyPasskeySignIn: { passkey: assertion },
    resetMemberMfa: {},
  }),
  recipes: {
    verifyMfa: async (scene) => {
      const { person, totp, challenge } = await withTotp(scene);
      const verify = async (code: string) =>
        call(scene.planes.controlUrl, 'POST', '/v1/auth/mfa/verify', { body: { mfa_challenge: await challenge(), code } });
      return [
        { answer: await verify(getWrongCode(totp.secret)), by: SYSTEM, events: [['user.login_failed', 'user', person.user.id]] },
        {
          answer: await verify(computeTotpCode(totp.secret)),
          by: authenticateWithFactor(person),
          events: [['user.login_succeeded', 'user', person.user.id]],
        },
      ];
    },
    prepareMfa: async (scene) => {
      const { person, challenge } = await withTotp(scene);
      const body = { mfa_challenge: await challenge(), method: 'DEVICE' };
      const ask = () => call(scene.planes.controlUrl, 'POST', '/v1/auth/mfa/challenge', { body });
      return [
        { answer: await ask(), by: SYSTEM, events: [['user.mfa_device_approval_requested', 'user', person.user.id]] },
        { answer: await ask(), by: SYSTEM, events: [] },
      ];
    },
    enrolTotp: async (scene) => {
      const { person, send } = await withStepUp(scene);
      return [{ answer: await send('/v1/auth/mfa/totp', { name: scene.name('app') }), by: authenticateWithFactor(person), events: [] }];
    },
    confirmTotp: async (scene) => {
      const { person, send } = await withStepUp(scene);
      const confirm = async () => {
        const { id, secret } = (await send('/v1/auth/mfa/totp', {})).json;
        return send(`/v1/auth/mfa/totp/${id}/confirm`, { code: computeTotpCode(secret) });
      };
      return [
        { answer: await confirm(), by: authenticateWithFactor(person), events: [['user.mfa_enrolled', 'user', person.user.id]] },
        { answer: await confirm(), by: authenticateWithFactor(person), events: [['user.mfa_factor_added', 'user', person.user.id]] },
      ];
    },
    preparePasskey: async (scene) => {
      const { person, send } = await withStepUp(scene);
      return [{ answer: await send('/v1/auth/mfa/passkeys/options', {}), by: authenticateWithFactor(person), events: [] }];
    },
    enrolPasskey: async (scene) => {
      const { person, send } = await withStepUp(scene);
      const enrol = async () => {
        const { public_key } = (await send('/v1/auth/mfa/passkeys/options', {})).json;
        const passkey = newAuthenticator(getOrigin(scene.planes.controlUrl)).create(public_key);
        return send('/v1/auth/mfa/passkeys', { name: scene.name('key'), passkey });
      };
      return [
        { answer: await enrol(), by: authenticateWithFactor(person), events: [['user.mfa_enrolled', 'user', person.user.id]] },
        { answer: await enrol(), by: authenticateWithFactor(person), events: [['user.mfa_factor_added', 'user', person.user.id]] },
      ];
    },
    confirmFactor: async (scene) => {
      const { person, totp, send } = await withTotp(scene);
      const second = await enrolTotp(scene.planes.controlUrl, person);
      await scene.database.query('update second_factors set vouched_by = $2 where user_id = $1', [person.user.id, person.organization.id]);
      const confirm = (id: string) => send('POST', `/v1/auth/mfa/factors/${id}/confirm`, {});
      return [
        {
          answer: await confirm(totp.factorId),
          by: authenticateWithFactor(person),
          events: [['user.mfa_enrolled', 'user', person.user.id]],
        },
        {
          answer: await confirm(second.factorId),
          by: authenticateWithFactor(person),
          events: [['user.mfa_factor_added', 'user', person.user.id]],
        },
      ];
    },
    removeFactor: async (scene) => {
      const { person, totp, send } = await withTotp(scene);
      const answer = await send('DELETE', `/v1/auth/mfa/factors/${totp.factorId}`);
      return [{ answer, by: authenticateWithFactor(person), events: [['user.mfa_factor_removed', 'user', person.user.id]] }];
    },
    regenerateRecoveryCodes: async (scene) => {
      const { person, send } = await withTotp(scene);
      const answer = await send('POST', '/v1/auth/mfa/recovery-codes', {});
      return [{ answer, by: authenticateWithFactor(person), events: [['user.mfa_recovery_codes_regenerated', 'user', person.user.id]] }];
    },
    verifyPasskeySignIn: async (scene) => {
      const { person } = await withStepUp(scene);
      const { controlUrl } = scene.planes;
      const { authenticator } = await enrolPasskey(controlUrl, person);
      const verify = async (bent: object) => {
        const { public_key } = await mustCall(controlUrl, 'POST', '/v1/auth/passkey/start', { body: {} });
        return call(controlUrl, 'POST', '/v1/auth/passkey/verify', { body: { passkey: authenticator.get(public_key, bent) } });
      };
      return [
        { answer: await verify({ origin: 'https://evil.example' }), by: SYSTEM, events: [['user.login_failed', 'user', person.user.id]] },
        { answer: await verify({}), by: authenticateWithFactor(person), events: [['user.login_succeeded', 'user', person.user.id]] },
      ];
    },
    resetMemberMfa: async ({ database, tenant, send, planes }) => {
      const other = await insertPerson(database, tenant.organization_id, 'viewer', { steppedUp: true });
      await enrolTotp(planes.controlUrl, other);
      const { rows } = await database.query('select id from members where user_id = $1', [other.id]);
      await database.query('update users set password_is_short = true where id = $1', [other.id]);
      const answer = await send('POST', `/v1/members/${rows[0].id}/reset-mfa`, {});
      return [
        {
          answer,
          events: [
            ['user.mfa_factor_removed', 'user', other.id],
            ['user.password_changed', 'user', other.id],
            ['session.revoked', 'member', rows[0].id],
          ],
        },
      ];
    },
  },
} as const satisfies NounTests;
