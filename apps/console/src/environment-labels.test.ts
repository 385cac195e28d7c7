import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withLabels } from '../web/data/environment-labels.ts';

test('environments that share a name are distinguished by their workspaces, by id if the name is unknown', () => {
  const told = [
    { id: 'env_1', name: 'Production', workspace_id: 'wsp_1' },
    { id: 'env_2', name: 'Production', workspace_id: 'wsp_2' },
    { id: 'env_3', name: 'Staging', workspace_id: 'wsp_1' },
  ];
  const labels = withLabels(told, [{ id: 'wsp_1', name: 'Payments' }]).map(({ label }) => label);
  assert.deepEqual(labels, ['Payments / Production', 'wsp_2 / Production', 'Staging']);
});
