import { newCredential } from '@svc/testing/agents/new-credential.ts';
import type { NounTests } from '../noun-tests.ts';
import { reason } from '../noun-tests.ts';
import { ownColumns } from '../scope-sql.ts';

export const credentialTests = {
  one: (of, word) => newCredential(of, { name: `${word} credential`, description: word }),
  scopes: { credential: ownColumns('credentials') },
  bodies: ({ made, tenant }) => ({
    createCredential: {
      ...{
        name: `Credential ${made}`,
        environment_id: tenant.environment_id,
        scheme: 'HEADER',
        placement: { header: 'x-api-key', prefix: 'Key' },
      },
      ...{ destinations: ['service.example', '*.service.example:8443'], tools: ['x'], secret: `secret ${made}` },
      extras: [{ in: 'QUERY', name: 'app', secret: `another secret ${made}` }],
    },
    rotateCredential: { secret: `another ${made}` },
    revokeCredential: { reason },
    connectCredential: {},
    testCredential: { url: 'https://service.example/' },
  }),
  recipes: {
    createCredential: async ({ tenant, send, name }) => {
      const { environment_id } = tenant;
      const answer = await send('POST', '/v1/credentials', {
        ...{ name: name('credential'), environment_id, scheme: 'QUERY', placement: { parameter: 'key' } },
        ...{ destinations: ['service.example'], tools: ['x'], secret: 'a-secret-of-the-service' },
        extras: [{ in: 'HEADER', name: 'x-app', secret: 'an-application-key' }],
      });
      return [{ answer, events: [['credential.created', 'credential', answer.json.id]] }];
    },
    rotateCredential: async ({ tenant, send }) => {
      const { credentialId } = await newCredential(tenant);
      const answer = await send('POST', `/v1/credentials/${credentialId}/rotate`, { secret: 'another-secret', overlap_seconds: 60 });
      return [{ answer, events: [['credential.rotated', 'credential', credentialId]] }];
    },
    revokeCredential: async ({ tenant, send }) => {
      const { credentialId } = await newCredential(tenant);
      const answer = await send('POST', `/v1/credentials/${credentialId}/revoke`, { reason: 'it leaked' });
      return [{ answer, events: [['credential.revoked', 'credential', credentialId]] }];
    },
    connectCredential: async ({ tenant, send }) => {
      const oauth = {
        ...{ grant: 'REFRESH_TOKEN', client_id: 'the-service', client_authentication: 'NONE' },
        ...{ token_url: 'https://login.service.example/token', authorization_url: 'https://login.service.example/authorize' },
      };
      const { credentialId } = await newCredential(tenant, { oauth, secret: undefined });
      return [{ answer: await send('POST', `/v1/credentials/${credentialId}/connect`, {}), events: [] }];
    },
    testCredential: async ({ tenant, send }) => {
      const { credentialId } = await newCredential(tenant);
      const answer = await send('POST', `/v1/credentials/${credentialId}/test`, { url: 'https://service.example/' });
      return [{ answer, events: [['credential.issued', 'credential', credentialId]] }];
    },
  },
} as const satisfies NounTests;
