import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, enumSchema, id, name, namedObject, nullable, timestamp } from '../rows/schema.ts';
import { secret } from '../rows/secret.ts';
import { FACTOR_KINDS } from '../tables/proofs.ts';
import { NewSession } from './auth.ts';
import { oneTimeCode, passkeyAssertion, passkeyAttestation, recoveryCode } from './proofs.ts';

export const Factor = closedObject({
  id: id('Second factor id (fac_).'),
  kind: enumSchema(FACTOR_KINDS),
  name: Type.String(),
  created_at: timestamp,
  last_used_at: nullable(timestamp),
  counts_in: nullable(
    id(
      'Only organization in which the factor is valid, because its identity provider authenticated the session that enrolled it; null if it is valid in all organizations.',
    ),
  ),
});
export type Factor = Static<typeof Factor>;

const mfaChallenge = secret(
  'mfa_challenge',
  Type.String({ minLength: 1, maxLength: 128, description: 'Challenge from the sign-in response.' }),
);
const recoveryCodes = Type.Array(Type.String(), { description: 'Ten recovery codes, returned once. Each is valid once.' });
/** Recovery codes come with the first factor, for the case that it is lost. */
const Enrolled = closedObject({ factor: Factor, ...secret('recovery_codes', Type.Optional(recoveryCodes)) });
const factorName = Type.Optional(name('Name of the factor.'));
const ownDoing = { none: 'users can manage their own second factors' } as const;
const base = { plane: 'control', area: 'people', wire: 'json' } as const;
const ofPerson = { ...base, credential: 'person', budget: 'caller', permissions: ownDoing } as const;

export const secondFactorEndpoints = {
  verifyMfa: defineEndpoint({
    ...base,
    method: 'POST',
    path: '/v1/auth/mfa/verify',
    summary: 'Complete the challenge of a sign-in with one proof: a code, a recovery code, a passkey, or a device approval.',
    credential: 'none',
    budget: 'sign_in',
    body: closedObject({
      ...mfaChallenge,
      ...secret('code', Type.Optional(oneTimeCode)),
      ...secret('recovery_code', Type.Optional(recoveryCode)),
      passkey: Type.Optional(passkeyAssertion),
      device_approval_id: Type.Optional(id('Granted device approval that POST /v1/auth/mfa/challenge requested.')),
    }),
    session: 'opens',
    result: NewSession,
    byAnyClock: true,
    emits: ['user.login_succeeded', 'user.login_failed'],
    refuses: ['INVALID_CREDENTIALS', 'RATE_LIMITED', 'VALIDATION_FAILED', 'PERMISSION_DENIED'],
  }),
  prepareMfa: defineEndpoint({
    ...base,
    method: 'POST',
    path: '/v1/auth/mfa/challenge',
    summary: 'Prepare a passkey for the challenge of a sign-in, or ask a signed-in device for approval. Repeat the call to get the status.',
    credential: 'none',
    budget: 'sign_in_start',
    body: closedObject({ ...mfaChallenge, method: enumSchema(['PASSKEY', 'DEVICE']) }),
    result: closedObject({
      method: enumSchema(['PASSKEY', 'DEVICE']),
      public_key: Type.Optional(namedObject('PublicKeyCredentialRequestOptions')),
      device_approval: Type.Optional(
        closedObject({
          id: id('Device approval id (dap_).'),
          number: Type.Integer({ description: 'Two digits to enter on the approving device.' }),
          status: enumSchema(['PENDING', 'APPROVED', 'DENIED', 'EXPIRED']),
          expires_at: timestamp,
        }),
      ),
    }),
    byAnyClock: true,
    emits: ['user.mfa_device_approval_requested'],
    refuses: ['INVALID_CREDENTIALS', 'CONFLICT'],
  }),
  getMfa: defineEndpoint({
    ...ofPerson,
    method: 'GET',
    path: '/v1/auth/mfa',
    summary: 'List the second factors of the signed-in user, and whether the organization requires one.',
    beforeFactor: true,
    result: closedObject({
      required: Type.Boolean({ description: 'True if this session has no access until it is verified with a second factor.' }),
      amr: Type.Array(Type.String(), { description: 'Authentication methods of this session.' }),
      factors: Type.Array(Factor),
      recovery_codes_left: Type.Integer(),
    }),
    emits: [],
    refuses: [],
  }),
  enrolTotp: defineEndpoint({
    ...ofPerson,
    method: 'POST',
    path: '/v1/auth/mfa/totp',
    summary: 'Start the enrollment of an authenticator app (TOTP, RFC 6238). It is not active until its first code is confirmed.',
    beforeFactor: true,
    mayNeed: ['step_up'],
    body: closedObject({ name: factorName }),
    bodyOptional: true,
    result: closedObject({
      id: id('Second factor id (fac_).'),
      ...secret('secret', Type.String({ description: 'Secret in base32, for manual entry.' })),
      ...secret('otpauth_url', Type.String({ description: 'otpauth URL for authenticator apps.' })),
      ...secret('qr_code', Type.String({ description: 'QR code of the otpauth URL: a data URL of an SVG image.' })),
      expires_at: timestamp,
    }),
    status: 201,
    emits: [],
    refuses: ['STEP_UP_REQUIRED', 'CONFLICT'],
  }),
  confirmTotp: defineEndpoint({
    ...ofPerson,
    method: 'POST',
    path: '/v1/auth/mfa/totp/{factorId}/confirm',
    summary: 'Confirm an authenticator app with its first code, from the session that started the enrollment.',
    budget: 'guess',
    beforeFactor: true,
    body: closedObject({ ...secret('code', oneTimeCode) }),
    result: Enrolled,
    emits: ['user.mfa_enrolled', 'user.mfa_factor_added'],
    refuses: ['INVALID_CREDENTIALS', 'NOT_FOUND'],
  }),
  preparePasskey: defineEndpoint({
    ...ofPerson,
    method: 'POST',
    path: '/v1/auth/mfa/passkeys/options',
    summary: 'Get the WebAuthn options to create a passkey, or to step up with one.',
    beforeFactor: true,
    mayNeed: ['step_up'],
    body: closedObject({ purpose: Type.Optional(enumSchema(['ENROL', 'STEP_UP'], 'Purpose; ENROL by default.')) }),
    bodyOptional: true,
    result: closedObject({ public_key: namedObject('PublicKeyCredentialOptions') }),
    emits: [],
    refuses: ['STEP_UP_REQUIRED', 'CONFLICT'],
  }),
  enrolPasskey: defineEndpoint({
    ...ofPerson,
    method: 'POST',
    path: '/v1/auth/mfa/passkeys',
    summary: 'Enroll a passkey created by a browser.',
    beforeFactor: true,
    mayNeed: ['step_up'],
    body: closedObject({ name: factorName, passkey: passkeyAttestation }),
    result: Enrolled,
    status: 201,
    emits: ['user.mfa_enrolled', 'user.mfa_factor_added'],
    refuses: ['STEP_UP_REQUIRED', 'CONFLICT', 'VALIDATION_FAILED'],
  }),
  confirmFactor: defineEndpoint({
    ...ofPerson,
    method: 'POST',
    path: '/v1/auth/mfa/factors/{factorId}/confirm',
    summary:
      'Make a second factor that was enrolled in a single sign-on session valid for all organizations. Requires a session with your own password or passkey.',
    stepUp: true,
    body: closedObject({}),
    bodyOptional: true,
    result: Enrolled,
    emits: ['user.mfa_enrolled', 'user.mfa_factor_added'],
    refuses: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  }),
  removeFactor: defineEndpoint({
    ...ofPerson,
    method: 'DELETE',
    path: '/v1/auth/mfa/factors/{factorId}',
    summary: 'Remove a second factor. The last one cannot be removed while an organization of the user requires one.',
    stepUp: true,
    result: closedObject({ removed: Type.Boolean() }),
    emits: ['user.mfa_factor_removed'],
    refuses: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  }),
  regenerateRecoveryCodes: defineEndpoint({
    ...ofPerson,
    method: 'POST',
    path: '/v1/auth/mfa/recovery-codes',
    summary: 'Replace the recovery codes with ten new ones, returned once.',
    stepUp: true,
    body: closedObject({}),
    bodyOptional: true,
    result: closedObject({ ...secret('recovery_codes', recoveryCodes) }),
    status: 201,
    emits: ['user.mfa_recovery_codes_regenerated'],
    refuses: ['CONFLICT'],
  }),
  startPasskeySignIn: defineEndpoint({
    ...base,
    method: 'POST',
    path: '/v1/auth/passkey/start',
    summary: 'Get the WebAuthn options for a passwordless sign-in with a passkey.',
    credential: 'none',
    budget: 'sign_in_start',
    body: closedObject({}),
    bodyOptional: true,
    result: closedObject({ public_key: namedObject('PublicKeyCredentialRequestOptions') }),
    writesNothing: 'always',
    byAnyClock: true,
    emits: [],
    refuses: ['CONFLICT'],
  }),
  verifyPasskeySignIn: defineEndpoint({
    ...base,
    method: 'POST',
    path: '/v1/auth/passkey/verify',
    summary: 'Exchange a passkey for a session.',
    credential: 'none',
    budget: 'sign_in',
    body: closedObject({
      passkey: passkeyAssertion,
      organization_id: Type.Optional(id('Organization to sign in to. Defaults to the one that the user joined first.')),
    }),
    session: 'opens',
    result: NewSession,
    byAnyClock: true,
    emits: ['user.login_succeeded', 'user.login_failed'],
    refuses: ['INVALID_CREDENTIALS', 'PERMISSION_DENIED'],
  }),
  resetMemberMfa: defineEndpoint({
    ...base,
    method: 'POST',
    path: '/v1/members/{memberId}/reset-mfa',
    summary:
      'Remove all second factors of a member who lost them, and end their sessions. For a member of several organizations, removes only the factors of this organization.',
    credential: 'caller',
    budget: 'caller',
    permissions: ['member:update'],
    stepUp: true,
    body: closedObject({}),
    bodyOptional: true,
    result: closedObject({ removed: Type.Integer({ description: 'Number of removed factors.' }) }),
    emits: ['user.mfa_factor_removed', 'user.password_changed', 'session.revoked'],
    refuses: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  }),
};
