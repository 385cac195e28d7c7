import type { NounTests } from '../noun-tests.ts';
import type { NounScene } from '../scene/scene.ts';
import { newWaiting } from './workspaces.ts';

const reason = 'test';

const newEnvironment = ({ make, name, tenant }: NounScene): Promise<{ id: string }> =>
  make('POST', '/v1/environments', { workspace_id: tenant.workspace_id, name: name('Environment'), type: 'STAGING' });

export const environmentTests = {
  scopes: { environment: 'select organization_id, workspace_id, id as environment_id from environments where id = $1' },
  bodies: ({ made, tenant }) => ({
    createEnvironment: { workspace_id: tenant.workspace_id, name: `Environment ${made}`, type: 'STAGING' },
    updateEnvironment: { requires_delegation: false },
    setGatewayMode: { mode: 'ENFORCE' },
    pauseEnvironment: { reason },
    resumeEnvironment: { reason },
    archiveEnvironment: { reason },
  }),
  recipes: {
    archiveEnvironment: async (scene) => {
      const { environment_id, cancelled } = await newWaiting(scene);
      const answer = await scene.send('POST', `/v1/environments/${environment_id}/archive`, { reason });
      return [{ answer, events: [['environment.updated', 'environment', environment_id], cancelled] }];
    },
    createEnvironment: async ({ send, name, tenant }) => {
      const body = { workspace_id: tenant.workspace_id, name: name('Environment'), type: 'STAGING' };
      const answer = await send('POST', '/v1/environments', body);
      return [{ answer, events: [['environment.created', 'environment', answer.json.id]] }];
    },
    updateEnvironment: async (scene) => {
      const { id } = await newEnvironment(scene);
      const answer = await scene.send('PATCH', `/v1/environments/${id}`, { name: scene.name('Renamed') });
      return [{ answer, events: [['environment.updated', 'environment', id]] }];
    },
    setGatewayMode: async (scene) => {
      const { id } = await newEnvironment(scene);
      const answer = await scene.send('POST', `/v1/environments/${id}/gateway-mode`, { mode: 'OBSERVE', reason });
      return [{ answer, events: [['environment.mode_changed', 'environment', id]] }];
    },
    pauseEnvironment: async (scene) => {
      const { id } = await newEnvironment(scene);
      const answer = await scene.send('POST', `/v1/environments/${id}/pause`, { reason });
      return [{ answer, events: [['environment.paused', 'environment', id]] }];
    },
    resumeEnvironment: async (scene) => {
      const { id } = await newEnvironment(scene);
      await scene.make('POST', `/v1/environments/${id}/pause`, { reason });
      const answer = await scene.send('POST', `/v1/environments/${id}/resume`, { reason });
      return [{ answer, events: [['environment.resumed', 'environment', id]] }];
    },
  },
} as const satisfies NounTests;
