import { call } from '@svc/testing/people/client.ts';
import { signUp, stepUp } from '@svc/testing/people/tenant.ts';
import type { NounTests } from '../noun-tests.ts';
import type { NounScene } from '../scene/scene.ts';

const reason = 'test';

/** Creates a separate organization, whose end affects no other test. */
const newEnding = async ({ planes: { controlUrl } }: NounScene) => {
  const { token, password, user, organization } = await signUp(controlUrl);
  await stepUp(controlUrl, { token, password });
  const send = (method: string, path: string, body: object) => call(controlUrl, method, path, { token, body });
  const end = () => send('DELETE', '/v1/organization', { confirm_name: organization.name, reason });
  return { send, end, by: { type: 'USER', id: user.id }, about: ['organization', organization.id] as const };
};

export const organizationTests = {
  scopes: { organization: 'select id as organization_id, null as workspace_id, null as environment_id from organizations where id = $1' },
  bodies: ({ made }) => ({
    updateOrganization: { name: `Organization ${made}` },
    // The organization that other recipes use is never deleted.
    deleteOrganization: { confirm_name: 'another name', reason },
    restoreOrganization: {},
  }),
  recipes: {
    updateOrganization: async ({ make, send, name, tenant }) => {
      const about = ['organization', tenant.organization_id] as const;
      const renamed = await send('PATCH', '/v1/organization', { name: name('Renamed') });
      const { base_currency: before } = await make('GET', '/v1/organization');
      const changed = await send('PATCH', '/v1/organization', { base_currency: 'CHF' });
      await make('PATCH', '/v1/organization', { base_currency: before });
      return [
        { answer: renamed, events: [['organization.updated', ...about]] },
        { answer: changed, events: [['organization.base_currency_changed', ...about]] },
      ];
    },
    deleteOrganization: async (scene) => {
      const { end, by, about } = await newEnding(scene);
      return [{ answer: await end(), by, events: [['organization.updated', ...about]] }];
    },
    restoreOrganization: async (scene) => {
      const { send, end, by, about } = await newEnding(scene);
      await end();
      return [{ answer: await send('POST', '/v1/organization/restore', {}), by, events: [['organization.updated', ...about]] }];
    },
  },
} as const satisfies NounTests;
