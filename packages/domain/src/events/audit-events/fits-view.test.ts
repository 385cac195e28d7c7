import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EventView, fitsView } from './fits-view.ts';

const ALL: EventView = { organization_id: 'org_1', workspace_ids: null, environment_id: null };
const EVENT: Parameters<typeof fitsView>[1] = {
  ...{ organization_id: 'org_1', workspace_id: 'wsp_1', environment_id: 'env_1', type: 'agent.paused' },
  ...{ actor: { id: 'usr_1' }, subject: { id: 'agt_1' }, severity: 'info', request_id: 'req_1' },
};

test('shows an event to readers of its organization and scope, and to no one else', () => {
  const sees = (view: Partial<EventView>, event: Partial<typeof EVENT> = {}) => fitsView({ ...ALL, ...view }, { ...EVENT, ...event });
  assert.equal(sees({}), true);
  assert.equal(sees({ organization_id: 'org_2' }), false);
  assert.equal(sees({ workspace_ids: ['wsp_2', 'wsp_1'] }), true);
  for (const workspace_ids of [[], ['wsp_2']]) assert.equal(sees({ workspace_ids }), false);
  assert.equal(sees({ workspace_ids: ['wsp_1'] }, { workspace_id: null, environment_id: null }), false);
  assert.equal(sees({ environment_id: 'env_1' }), true);
  for (const environment_id of ['env_2', null]) assert.equal(sees({ environment_id: 'env_1' }, { environment_id }), false);
  assert.equal(sees({}, { workspace_id: null, environment_id: null }), true);
});

test('applies each filter, and all of them together', () => {
  const named = { type: 'agent.paused', actor_id: 'usr_1', subject_id: 'agt_1', severity: 'info', request_id: 'req_1' };
  assert.equal(fitsView({ ...ALL, ...named }, EVENT), true);
  for (const name of Object.keys(named)) assert.equal(fitsView({ ...ALL, ...named, [name]: 'other' }, EVENT), false, name);
});
