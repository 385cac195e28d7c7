import { newCredential } from '@svc/testing/agents/new-credential.ts';
import type { ChangingOperation, Recipes } from './play.ts';

/** What the gateway proves itself with to services. */
export const storedCredentialRecipes = {
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
} satisfies Pick<Recipes, Extract<ChangingOperation, `${string}Credential`>>;
