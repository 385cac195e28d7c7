import { type Static, Type } from 'typebox';
import { jsonObject, nullable } from '../rows/schema.ts';

export const oneTimeCode = Type.String({
  pattern: '^[0-9]{6}$',
  examples: ['492039'],
  description: 'Six ASCII digits from the authenticator app. Each code is valid once.',
});
export const recoveryCode = Type.String({
  pattern: '^[0-9A-Za-z-]{16,29}$',
  examples: ['k3v8-0q2d-xm7t-5hzp-8wra-j41c'],
  description: 'One of the ten recovery codes, case-insensitive, with or without dashes.',
});

const base64url = (charsMax: number) => Type.String({ minLength: 1, maxLength: charsMax, pattern: '^[A-Za-z0-9_-]+$' });
const credential = {
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: Type.Literal('public-key'),
  authenticatorAttachment: Type.Optional(nullable(Type.String({ maxLength: 40 }))),
  clientExtensionResults: Type.Optional(jsonObject('Extension results; ignored.')),
};
/** WebAuthn response of a browser. Unknown members are ignored, since browsers add new ones. */
const assertedBy = Type.Object({
  clientDataJSON: base64url(4_096),
  authenticatorData: base64url(2_048),
  signature: base64url(2_048),
  userHandle: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
});
export const passkeyAssertion = Type.Object(
  { ...credential, response: assertedBy },
  { description: 'Result of `navigator.credentials.get`, as toJSON() returns it (WebAuthn, AuthenticationResponseJSON).' },
);
export type PasskeyAssertion = Static<typeof passkeyAssertion>;
export const passkeyAttestation = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: base64url(4_096),
      attestationObject: base64url(8_192),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 })),
    }),
  },
  { description: 'Result of `navigator.credentials.create`, as toJSON() returns it (WebAuthn, RegistrationResponseJSON).' },
);
export type PasskeyAttestation = Static<typeof passkeyAttestation>;
