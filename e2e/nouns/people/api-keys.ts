import type { NounTests } from '../noun-tests.ts';

const VIEWER = 'rol_00000000000000000000000007';

export const apiKeyTests = {
  scopes: {
    api_key: `select organization_id, case when cardinality(workspace_ids) = 1 then workspace_ids[1] end as workspace_id, null as environment_id
    from api_keys where id = $1`,
  },
  bodies: ({ made }) => ({
    createApiKey: { name: `key ${made}`, role_id: 'rol_00000000000000000000000007' },
    rotateApiKey: { overlap_seconds: 60 },
  }),
  recipes: {
    createApiKey: async ({ send, name }) => {
      const answer = await send('POST', '/v1/api-keys', { name: name('key'), role_id: VIEWER });
      return [{ answer, events: [['apikey.created', 'api_key', answer.json.api_key.id]] }];
    },
    rotateApiKey: async ({ make, send, name }) => {
      const { api_key } = await make('POST', '/v1/api-keys', { name: name('key'), role_id: VIEWER });
      return [{ answer: await send('POST', `/v1/api-keys/${api_key.id}/rotate`), events: [['apikey.created', 'api_key', api_key.id]] }];
    },
    endPreviousSecret: async ({ make, send, name }) => {
      const { api_key } = await make('POST', '/v1/api-keys', { name: name('key'), role_id: VIEWER });
      await make('POST', `/v1/api-keys/${api_key.id}/rotate`);
      const answer = await send('DELETE', `/v1/api-keys/${api_key.id}/previous-secret`);
      return [{ answer, events: [['apikey.revoked', 'api_key', api_key.id]] }];
    },
    revokeApiKey: async ({ make, send, name }) => {
      const { api_key } = await make('POST', '/v1/api-keys', { name: name('key'), role_id: VIEWER });
      return [{ answer: await send('DELETE', `/v1/api-keys/${api_key.id}`), events: [['apikey.revoked', 'api_key', api_key.id]] }];
    },
  },
} as const satisfies NounTests;
