import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type { NounTests, OwnerSession } from '../noun-tests.ts';
import { ownColumns } from '../scope-sql.ts';

const APPLICATION = 'pagerduty';

/** Values of the application: a change of the address changes the declarations of its tools. */
const getBody = (environment_id: string, word: string) => ({
  application: APPLICATION,
  environment_id,
  name: word,
  source: `g${newUlid().slice(-12).toLowerCase()}`,
  values: { from_email: 'operations@service.example' },
  secrets: [{ name: 'api_key', secret: 'a-key-of-the-service' }],
  actions: ['note.create'],
});

const create = ({ controlUrl, token, environment_id }: OwnerSession, word: string) =>
  newControlClient(controlUrl, token).createIntegration({ body: getBody(environment_id, word) });

export const integrationTests = {
  one: async (owner, word) => ({ integrationId: (await create(owner, `${word} ${newUlid().slice(-6)}`)).id }),
  words: { application: APPLICATION },
  scopes: { integration: ownColumns('integrations') },
  bodies: ({ made, tenant }) => ({
    createIntegration: getBody(tenant.environment_id, `integration ${made}`),
    updateIntegration: { name: `integration ${made}` },
  }),
  recipes: {
    createIntegration: async ({ tenant, send, name }) => {
      const answer = await send('POST', '/v1/integrations', getBody(tenant.environment_id, name('integration')));
      const { id, credential_id, tools } = answer.json;
      return [
        {
          answer,
          events: [
            ['credential.created', 'credential', credential_id],
            ['tool.created', 'tool', tools[0].tool_id],
            ['integration.created', 'integration', id],
          ],
        },
      ];
    },
    updateIntegration: async ({ tenant, send, make, name, agent, database }) => {
      const { organization_id, workspace_id, environment_id } = tenant;
      const { id, tools } = await make('POST', '/v1/integrations', getBody(environment_id, name('integration')));
      const [{ tool_id }] = tools;
      const place = { organization_id, workspace_id, environment_id };
      const { approvalId } = await insertHeldAction(database, place, {}, { agent_id: (await agent()).id, tool_id });
      const values = { from_email: 'on-call@service.example' };
      const answer = await send('PATCH', `/v1/integrations/${id}`, { values, actions: ['note.list'] });
      const added = answer.json.tools.find(({ key }: { key: string }) => key === 'note.list');
      return [
        {
          answer,
          events: [
            ['integration.updated', 'integration', id],
            ['tool.created', 'tool', added.tool_id],
            ['tool.updated', 'tool', tool_id],
            ['approval.cancelled', 'approval', approvalId],
          ],
        },
      ];
    },
    removeIntegration: async ({ tenant, send, make, name }) => {
      const { id, tools } = await make('POST', '/v1/integrations', getBody(tenant.environment_id, name('integration')));
      return [
        {
          answer: await send('DELETE', `/v1/integrations/${id}`),
          events: [
            ['tool.disabled', 'tool', tools[0].tool_id],
            ['integration.updated', 'integration', id],
          ],
        },
      ];
    },
  },
} as const satisfies NounTests;
