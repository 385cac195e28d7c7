import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, enumSchema, id, nullable, timestamp } from '../rows/schema.ts';
import { secret } from '../rows/secret.ts';
import { CLI_FLOWS } from '../tables/vocabulary.ts';
import { NewSession } from './auth.ts';
import { userCode } from './user-code.ts';

/** Text from an unauthenticated client about itself: no invisible characters, no change of direction, no line breaks. */
const saidOfItself = (lengthMax: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: lengthMax, pattern: '^[^\\p{C}\\p{Zl}\\p{Zp}]+$', description, examples: [example] });

const Client = closedObject(
  {
    hostname: Type.Optional(saidOfItself(253, 'Name of the machine.', 'ada-laptop')),
    platform: Type.Optional(saidOfItself(64, 'Operating system.', 'linux x64')),
    version: Type.Optional(saidOfItself(64, 'Version of the program.', '1.4.0')),
  },
  'Client that requests the session, as it describes itself; shown to the approver.',
);

/** PKCE verifier (RFC 7636): 43 to 128 unreserved characters; its SHA-256 in base64url always has 43. */
const verifier = Type.String({
  minLength: 43,
  maxLength: 128,
  pattern: '^[A-Za-z0-9._~-]+$',
  description: 'PKCE code verifier (RFC 7636).',
});
const challenge = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'PKCE code challenge with S256, the only supported method: base64url without padding, 43 characters.',
});

export const CliRequest = closedObject({
  request_id: id('Request id (cli_).'),
  flow: enumSchema(CLI_FLOWS),
  user_code: nullable(Type.String({ description: 'Code to compare with the one in the terminal. null if the approver must type it.' })),
  client: closedObject({ hostname: nullable(Type.String()), platform: nullable(Type.String()), version: nullable(Type.String()) }),
  source_ip: Type.String({ description: 'Source address of the request.' }),
  same_address: Type.Boolean({ description: 'True if the source address is the address of the current caller.' }),
  created_at: timestamp,
  expires_at: timestamp,
});
export type CliRequest = Static<typeof CliRequest>;

const row = { plane: 'control', area: 'people', wire: 'json' } as const;

export const cliEndpoints = {
  startCliSignIn: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/auth/cli/start',
    summary: 'Request a command-line session, which a signed-in user approves in a browser.',
    credential: 'none',
    budget: 'newcomer',
    body: closedObject({
      flow: enumSchema(CLI_FLOWS, 'LOOPBACK if the browser runs on the same machine; otherwise DEVICE.'),
      code_challenge: challenge,
      redirect_port: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 65_535, description: 'For LOOPBACK: port on 127.0.0.1 that receives the code.' }),
      ),
      client: Client,
    }),
    result: closedObject({
      request_id: id('Request id (cli_).'),
      ...secret('user_code', Type.String({ description: 'Code to show in the terminal; the user compares or types it.' })),
      verification_uri: Type.String({ description: 'URL to open in a browser.' }),
      poll_after_seconds: Type.Integer({ description: 'Poll interval.' }),
      expires_at: timestamp,
    }),
    status: 201,
    emits: [],
    refuses: ['VALIDATION_FAILED', 'RATE_LIMITED'],
  }),
  redeemCliSignIn: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/auth/cli/token',
    summary:
      'Exchange an approved request for a session. Works once; a second use ends the session. Returns APPROVAL_REQUIRED while the request is undecided, RATE_LIMITED if polled too often.',
    credential: 'none',
    budget: 'newcomer',
    body: closedObject({
      request_id: id('Request id (cli_).'),
      ...secret('code_verifier', verifier),
      ...secret(
        'code',
        Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'For LOOPBACK: the code that the browser delivered.' })),
      ),
    }),
    result: NewSession,
    emits: ['cli.session_issued', 'session.revoked'],
    refuses: ['INVALID_CREDENTIALS', 'APPROVAL_REQUIRED', 'APPROVAL_NOT_GRANTED', 'GONE', 'RATE_LIMITED', 'VALIDATION_FAILED'],
  }),
  getCliRequest: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/auth/cli/requests/{requestId}',
    summary: 'Get a request for a terminal session, for the approver.',
    credential: 'person',
    budget: 'caller',
    permissions: { none: 'users can read requests that they are asked to approve' },
    result: CliRequest,
    emits: [],
    refuses: ['NOT_FOUND', 'GONE'],
  }),
  findCliRequest: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/auth/cli/requests',
    summary: 'Get the pending request of a terminal by its code. Wrong codes count as wrong passwords.',
    credential: 'person',
    budget: 'guess',
    permissions: { none: 'users can read requests that they are asked to approve' },
    query: closedObject(secret('user_code', userCode)),
    result: CliRequest,
    emits: [],
    refuses: ['NOT_FOUND', 'RATE_LIMITED'],
  }),
  approveCliRequest: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/auth/cli/requests/{requestId}/approve',
    summary: 'Authorize the terminal to act as the signed-in user, in this organization, until this session ends.',
    credential: 'person',
    budget: 'guess',
    permissions: { none: 'users can sign in their own terminals' },
    body: closedObject(secret('user_code', userCode)),
    result: closedObject({
      request_id: id('Request id (cli_).'),
      ...secret('redirect_uri', nullable(Type.String({ description: 'For LOOPBACK: redirect URL with the code.' }))),
    }),
    emits: ['cli.authorization_approved'],
    refuses: ['NOT_FOUND', 'GONE', 'VALIDATION_FAILED', 'RATE_LIMITED'],
  }),
  denyCliRequest: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/auth/cli/requests/{requestId}/deny',
    summary: 'Deny the request of a terminal.',
    credential: 'person',
    budget: 'emergency',
    permissions: { none: 'users can deny requests that they are asked to approve' },
    body: closedObject({}),
    bodyOptional: true,
    result: closedObject({ request_id: id('Request id (cli_).') }),
    byAnyClock: true,
    emits: ['cli.authorization_denied'],
    refuses: ['NOT_FOUND', 'GONE'],
  }),
};
