import { Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, timestamp } from '../rows/schema.ts';

/** Endpoints for connecting an OAuth application in the browser. */
export const connectionEndpoints = {
  connectCredential: defineEndpoint({
    plane: 'control',
    area: 'credentials',
    method: 'POST',
    path: '/v1/credentials/{credentialId}/connect',
    summary: 'Start connecting a credential with grant REFRESH_TOKEN. Open the returned URL in the same browser and allow access.',
    credential: 'person',
    budget: 'caller',
    wire: 'json',
    permissions: ['credential:rotate'],
    body: closedObject({}),
    bodyOptional: true,
    result: closedObject({
      authorization_url: Type.String({ description: 'URL of the authorization server, to open in a browser.' }),
      expires_at: timestamp,
    }),
    emits: [],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'CONFLICT', 'CREDENTIAL_SERVICE_UNAVAILABLE'],
  }),
  finishConnection: defineEndpoint({
    plane: 'control',
    area: 'credentials',
    method: 'GET',
    path: '/v1/credentials/{credentialId}/callback',
    summary:
      'Complete a connection: redirect endpoint of authorization servers. Works once, within ten minutes, in the same browser, while the session that started it is active.',
    credential: 'none',
    budget: 'newcomer',
    wire: 'page',
    media: ['text/plain', 'application/json'],
    result: Type.String({ description: 'A line of text for browsers; other clients get the credential as JSON.' }),
    emits: ['credential.rotated'],
    refuses: [
      ...(['GONE', 'NETWORK_RESTRICTED', 'PERMISSION_DENIED', 'UNPROCESSABLE', 'DEPENDENCY_UNAVAILABLE'] as const),
      ...(['CREDENTIAL_SERVICE_UNAVAILABLE', 'RATE_LIMITED'] as const),
    ],
  }),
};
