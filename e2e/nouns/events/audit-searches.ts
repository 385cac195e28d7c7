import { newControlClient } from '@svc/testing/people/typed-client.ts';
import type { NounTests } from '../noun-tests.ts';
import type { NounScene } from '../scene/scene.ts';

const savedBy = async ({ send, name }: NounScene): Promise<string> =>
  (await send('POST', '/v1/audit-events/searches', { name: name('search'), filter: { q: 'x' } })).json.id;

export const auditSearchTests = {
  one: async ({ controlUrl, token }, word) => {
    const body = { name: `${word} search`, filter: { q: word } };
    return { searchId: (await newControlClient(controlUrl, token).createAuditSearch({ body })).id as string };
  },
  bodies: ({ made }) => ({
    createAuditSearch: { name: `Search ${made}`, filter: { severity: 'critical' } },
    updateAuditSearch: { name: `Search ${made}` },
  }),
  recipes: {
    // A saved search is no state of the organization.
    createAuditSearch: async ({ send, name }) => [
      { answer: await send('POST', '/v1/audit-events/searches', { name: name('search'), filter: { q: 'x' } }), events: [] },
    ],
    updateAuditSearch: async (scene) => [
      { answer: await scene.send('PATCH', `/v1/audit-events/searches/${await savedBy(scene)}`, { shared: true }), events: [] },
    ],
    deleteAuditSearch: async (scene) => [
      { answer: await scene.send('DELETE', `/v1/audit-events/searches/${await savedBy(scene)}`), events: [] },
    ],
  },
} as const satisfies NounTests;
