import { readAudience, signClientAssertion } from '@svc/testing/agents/agent.ts';
import { call } from '@svc/testing/people/client.ts';
import type { NounTests } from '../noun-tests.ts';

const CLIENT_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export const oauthTests = {
  bodies: ({ agent }) => ({
    issueOauthToken: {
      grant_type: 'client_credentials',
      client_assertion_type: CLIENT_ASSERTION_TYPE,
      client_assertion: 'x',
      client_id: agent.id,
    },
    introspectToken: { token: 'x' },
  }),
  recipes: {
    issueOauthToken: async ({ planes, places }) => {
      const client_assertion = signClientAssertion(places.ENFORCE.agent, await readAudience(planes.gatewayUrl));
      const form = { grant_type: 'client_credentials', client_assertion_type: CLIENT_ASSERTION_TYPE, client_assertion };
      const answer = await call(planes.gatewayUrl, 'POST', '/gateway/v1/oauth/token', {
        raw: new URLSearchParams(form).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      return [{ answer, events: [] }];
    },
  },
} as const satisfies NounTests;
