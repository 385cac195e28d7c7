import type { ChangingOperation, Recipes } from './play.ts';
import type { Scene } from './scene.ts';

const reason = 'test';

const newEnvironment = ({ make, name, tenant }: Scene): Promise<{ id: string }> =>
  make('POST', '/v1/environments', { workspace_id: tenant.workspace_id, name: name('Environment'), type: 'STAGING' });

const newRate = { base_currency: 'GBP', quote_currency: 'USD', rate: '1.3' };

/** Organization, workspaces, environments and exchange rates. */
export const placeRecipes = {
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
  createWorkspace: async ({ send, name }) => {
    const answer = await send('POST', '/v1/workspaces', { name: name('Workspace') });
    return [{ answer, events: [['workspace.created', 'workspace', answer.json.id]] }];
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
  createExchangeRate: async ({ send }) => {
    const answer = await send('POST', '/v1/fx-rates', newRate);
    return [{ answer, events: [['fx_rate.created', 'exchange_rate', answer.json.id]] }];
  },
  deleteExchangeRate: async ({ make, send }) => {
    const { id } = await make('POST', '/v1/fx-rates', newRate);
    return [{ answer: await send('DELETE', `/v1/fx-rates/${id}`), events: [['fx_rate.deleted', 'exchange_rate', id]] }];
  },
  refreshExchangeRates: async ({ send, provider, tenant }) => {
    const about = ['organization', tenant.organization_id] as const;
    provider.answer((base) => ({ json: { base, date: new Date().toISOString().slice(0, 10), rates: { JPY: 150.5 } } }));
    const fetched = await send('POST', '/v1/fx-rates/refresh');
    provider.answer({ json: { error: 'closed' }, status: 500 });
    const failed = await send('POST', '/v1/fx-rates/refresh');
    return [
      { answer: fetched, events: [['fx_rate.refreshed', ...about]] },
      { answer: failed, events: [['fx_rate.refresh_failed', ...about]] },
    ];
  },
} as const satisfies Partial<Recipes<ChangingOperation>>;
