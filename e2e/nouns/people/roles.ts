import type { NounTests } from '../noun-tests.ts';
import { getWholeOrganization } from '../scope-sql.ts';
import { newApprover } from './members.ts';

export const roleTests = {
  scopes: { role: getWholeOrganization('roles') },
  bodies: ({ made }) => ({
    createRole: { name: `Role ${made}`, permissions: ['agent:read'] },
    updateRole: { description: `${made}` },
  }),
  recipes: {
    createRole: async ({ send, name }) => {
      const answer = await send('POST', '/v1/roles', { name: name('Role'), permissions: ['agent:read'] });
      return [{ answer, events: [['role.created', 'role', answer.json.id]] }];
    },
    updateRole: async (scene) => {
      const permissions = ['approval:read', 'approval:approve'];
      const role = await scene.make('POST', '/v1/roles', { name: scene.name('Role'), permissions });
      const { approvalId } = await newApprover(scene, role);
      const answer = await scene.send('PATCH', `/v1/roles/${role.id}`, { permissions: ['approval:read'] });
      const events = [
        ['role.updated', 'role', role.id],
        ['approval.cancelled', 'approval', approvalId],
      ] as const;
      return [{ answer, events }];
    },
    deleteRole: async ({ make, send, name }) => {
      const { id } = await make('POST', '/v1/roles', { name: name('Role'), permissions: ['agent:read'] });
      return [{ answer: await send('DELETE', `/v1/roles/${id}`), events: [['role.deleted', 'role', id]] }];
    },
  },
} as const satisfies NounTests;
