import { newAgent } from '@svc/testing/agents/agent.ts';
import { call } from '@svc/testing/people/client.ts';
import { signUp, stepUp } from '@svc/testing/people/tenant.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import type { ChangingOperation, Recipes } from './play.ts';
import type { Scene } from './scene.ts';

const reason = 'test';

const newEnvironment = ({ make, name, tenant }: Scene): Promise<{ id: string }> =>
  make('POST', '/v1/environments', { workspace_id: tenant.workspace_id, name: name('Environment'), type: 'STAGING' });

/** An organization of its own, whose end is nobody else's. */
const newEnding = async ({ planes: { controlUrl } }: Scene) => {
  const { token, password, user, organization } = await signUp(controlUrl);
  await stepUp(controlUrl, { token, password });
  const send = (method: string, path: string, body: object) => call(controlUrl, method, path, { token, body });
  const end = () => send('DELETE', '/v1/organization', { confirm_name: organization.name, reason });
  return { send, end, by: { type: 'USER', id: user.id }, about: ['organization', organization.id] as const };
};

/** A place in which something waits for people. */
const newWaiting = async (scene: Scene) => {
  const workspace_id: string = (await scene.make('POST', '/v1/workspaces', { name: scene.name('Workspace') })).id;
  const body = { workspace_id, name: scene.name('Environment'), type: 'STAGING' };
  const environment_id: string = (await scene.make('POST', '/v1/environments', body)).id;
  const place = { organization_id: scene.tenant.organization_id, workspace_id, environment_id };
  const agent = await newAgent({ ...scene.tenant, workspace_id, environment_id });
  const { approvalId } = await insertHeldAction(scene.database, place, {}, { agent_id: agent.id });
  return { workspace_id, environment_id, cancelled: ['approval.cancelled', 'approval', approvalId] as const };
};

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
  deleteOrganization: async (scene) => {
    const { end, by, about } = await newEnding(scene);
    return [{ answer: await end(), by, events: [['organization.updated', ...about]] }];
  },
  restoreOrganization: async (scene) => {
    const { send, end, by, about } = await newEnding(scene);
    await end();
    return [{ answer: await send('POST', '/v1/organization/restore', {}), by, events: [['organization.updated', ...about]] }];
  },
  updateWorkspace: async ({ make, send, name }) => {
    const { id } = await make('POST', '/v1/workspaces', { name: name('Workspace') });
    const answer = await send('PATCH', `/v1/workspaces/${id}`, { name: name('Renamed') });
    return [{ answer, events: [['workspace.updated', 'workspace', id]] }];
  },
  archiveWorkspace: async (scene) => {
    const { workspace_id, cancelled } = await newWaiting(scene);
    const answer = await scene.send('POST', `/v1/workspaces/${workspace_id}/archive`, { reason });
    return [{ answer, events: [['workspace.updated', 'workspace', workspace_id], cancelled] }];
  },
  archiveEnvironment: async (scene) => {
    const { environment_id, cancelled } = await newWaiting(scene);
    const answer = await scene.send('POST', `/v1/environments/${environment_id}/archive`, { reason });
    return [{ answer, events: [['environment.updated', 'environment', environment_id], cancelled] }];
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
