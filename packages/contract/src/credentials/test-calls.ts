import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, enumSchema, nullable } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';

const { testUrlCharsMax, testExcerptCharsMax } = LIMITS.credentials;

export const TEST_METHODS = ['GET', 'HEAD'] as const;

/** Why there is no response. */
export const TEST_FAILURES = [
  ...(['NO_TOKEN', 'EGRESS_OFF', 'NOT_SENDABLE', 'ADDRESS_REFUSED', 'UNREACHABLE', 'TLS_FAILED'] as const),
  ...(['TIMEOUT', 'TOO_LARGE', 'BROKEN_OFF', 'CHANGED'] as const),
] as const;
export type TestFailure = (typeof TEST_FAILURES)[number];

/** Result of a test call. Both `failure` and `status` are present if a response began and could not be read. */
export const CredentialTest = closedObject({
  generation: Type.Integer({ minimum: 1, description: 'Generation of the sent credential.' }),
  method: enumSchema(TEST_METHODS),
  destination: Type.String({ description: 'Host and port of the request.' }),
  status: nullable(Type.Integer({ description: 'Status of the response, including redirects and errors; null if there was no response.' })),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'Response headers that describe the response or the error. Secrets are masked.',
  }),
  body: nullable(
    Type.String({ description: `The first ${testExcerptCharsMax} characters of the response. All encodings of the secret are masked.` }),
  ),
  body_bytes: nullable(Type.Integer({ description: 'Size of the whole response.' })),
  duration_ms: Type.Integer({ description: 'Duration, including the wait for an access token.' }),
  failure: nullable(
    closedObject({
      reason: enumSchema(
        TEST_FAILURES,
        'NO_TOKEN: no access token could be obtained. NOT_SENDABLE: the connection does not use TLS, or the secret cannot be added to the request. CHANGED: the credential was rotated or revoked during the test.',
      ),
      message: Type.String({ description: 'Explanation of the reason, with the remedy if there is one.' }),
    }),
  ),
});
export type CredentialTest = Static<typeof CredentialTest>;

export const testCallEndpoints = {
  testCredential: defineEndpoint({
    plane: 'control',
    area: 'credentials',
    method: 'POST',
    path: '/v1/credentials/{credentialId}/test',
    summary: 'Send one test request with the secret to a destination of the credential. The response is returned without the secret.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['credential:create'],
    body: closedObject({
      url: Type.String({
        minLength: 8,
        maxLength: testUrlCharsMax,
        pattern: '^https?://',
        examples: ['https://api.payments.example/v1/account'],
        description: 'Destination that the credential allows.',
      }),
      method: Type.Optional(enumSchema(TEST_METHODS, 'Default: GET.')),
    }),
    result: CredentialTest,
    emits: ['credential.issued'],
    refuses: [
      ...(['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE_TRANSITION', 'UNPROCESSABLE', 'RATE_LIMITED'] as const),
      'CREDENTIAL_SERVICE_UNAVAILABLE',
    ],
    automation: 'ALLOWED',
  }),
};
