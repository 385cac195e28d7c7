import { type Static, Type } from 'typebox';
import { endpoint } from '../rows/endpoint.ts';
import { closed, nullable, oneOf } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';

const { testUrlCharsMax, testExcerptCharsMax } = LIMITS.credentials;

export const TEST_METHODS = ['GET', 'HEAD'] as const;

/** Why there is no answer. */
export const TEST_FAILURES = [
  ...(['NO_TOKEN', 'EGRESS_OFF', 'NOT_SENDABLE', 'ADDRESS_REFUSED', 'UNREACHABLE', 'TLS_FAILED'] as const),
  ...(['TIMEOUT', 'TOO_LARGE', 'BROKEN_OFF', 'CHANGED'] as const),
] as const;
export type TestFailure = (typeof TEST_FAILURES)[number];

/** What came of a test call. `failure` and `status` may both be there: of an answer that began and could not be read. */
export const CredentialTest = closed({
  generation: Type.Integer({ minimum: 1, description: 'Generation of the sent credential.' }),
  method: oneOf(TEST_METHODS),
  destination: Type.String({ description: 'Host and port that were called.' }),
  status: nullable(Type.Integer({ description: 'Status of the response, including redirects and errors; null without a response.' })),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'Response headers that describe the response or the error. Secrets are masked.',
  }),
  body: nullable(
    Type.String({ description: `The first ${testExcerptCharsMax} characters of the answer, with the secret in any spelling hidden.` }),
  ),
  body_bytes: nullable(Type.Integer({ description: 'Size of the whole response.' })),
  duration_ms: Type.Integer({ description: 'With the time that an access token was waited for.' }),
  failure: nullable(
    closed({
      reason: oneOf(
        TEST_FAILURES,
        'NO_TOKEN: no access token could be had. NOT_SENDABLE: it does not go over TLS, or cannot be put on the request. CHANGED: it was rotated or revoked while it waited.',
      ),
      message: Type.String({ description: 'The same in a sentence, with the remedy where there is one.' }),
    }),
  ),
});
export type CredentialTest = Static<typeof CredentialTest>;

export const testCallEndpoints = {
  testCredential: endpoint({
    plane: 'control',
    area: 'credentials',
    method: 'POST',
    path: '/v1/credentials/{credentialId}/test',
    summary: 'Send one test request with the secret to a destination of the credential. The response is returned without the secret.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['credential:create'],
    body: closed({
      url: Type.String({
        minLength: 8,
        maxLength: testUrlCharsMax,
        pattern: '^https?://',
        examples: ['https://api.payments.example/v1/account'],
        description: 'Destination: a host that the credential allows.',
      }),
      method: Type.Optional(oneOf(TEST_METHODS, 'GET when left out.')),
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
