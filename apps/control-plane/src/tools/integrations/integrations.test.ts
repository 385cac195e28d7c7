import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ steppedUp: true });

const setUp = (body: object) => s.send('POST', '/v1/integrations', { environment_id: s.tenant.environment_id, ...body });
const token = (secret = 'a-token-of-the-service') => [{ name: 'token', secret }];

test('listApplications and getApplication: the catalogue is searched by word prefixes, scheme and capability', async () => {
  const page = async (query: string) => (await s.send('GET', `/v1/tool-catalogue?${query}`)).json;
  const found = await page('q=pull+requ');
  assert.deepEqual(found.items.map(({ key }: { key: string }) => key).sort(), ['bitbucket', 'github']);
  const two = await page('scheme=QUERY');
  assert.deepEqual(
    two.items.map(({ key }: { key: string }) => key),
    ['circle-ci', 'giphy', 'trello'],
  );
  const none = await page('capability=NOT_AVAILABLE&q=postgres');
  assert.equal(none.items[0].automation.node, 'n8n-nodes-base.postgres');
  const whole = (await s.send('GET', '/v1/tool-catalogue/postgres')).json;
  assert.deepEqual(whole.actions, [{ key: '*', performed_by: 'PLATFORM', reason: 'NOT_A_WEB_API' }]);
  assert.equal((await s.send('GET', '/v1/tool-catalogue/no-such-thing')).status, 404);
});

test('createIntegration stores a credential and registers the chosen actions in one change', async () => {
  const made = await setUp({ application: 'github', secrets: token(), actions: ['issue.create', 'issue.get'] });
  assert.equal(made.status, 201, made.text);
  const { id, credential_id, source, tools, update_available } = made.json;
  assert.deepEqual([source, update_available], ['github', false]);
  assert.deepEqual(
    tools.map(({ name, status }: Record<string, string>) => [name, status]),
    [
      ['github.issue.create', 'ACTIVE'],
      ['github.issue.get', 'ACTIVE'],
    ],
  );
  assert.ok(!made.text.includes('a-token-of-the-service'));
  const credential = (await s.send('GET', `/v1/credentials/${credential_id}`)).json;
  assert.deepEqual([credential.scheme, credential.destinations], ['BEARER', ['api.github.com']]);
  assert.ok(credential.tools.includes('github.pull_request.merge'));
  const tool = (await s.send('GET', `/v1/tools/${tools[0].tool_id}`)).json;
  assert.equal(tool.execution.credential_id, credential_id);
  assert.deepEqual(tool.execution.headers, { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' });
  assert.deepEqual([tool.risk_rating, tool.required_capability], ['LOW', 'github.issue.write']);
  const [event] = await s.eventsOf(id, 'type', 'data');
  assert.equal(event?.type, 'integration.created');
  assert.deepEqual(event?.data.after.actions, ['issue.get', 'issue.create']);
  const again = await setUp({ application: 'github', secrets: token(), actions: ['issue.get'] });
  assert.equal(again.json.source, 'github-2');
  const taken = await setUp({ application: 'github', source: 'github', name: 'Another', secrets: token() });
  assert.equal(taken.json.error.code, 'ALREADY_EXISTS');
});

test('nothing is stored if one of the tools is refused', async () => {
  const body = { name: 'box2.file.get', environment_id: s.tenant.environment_id, required_capability: 'x', kind: 'SDK' };
  assert.equal((await s.send('POST', '/v1/tools', body)).status, 201);
  const setting = { application: 'digitalocean', source: 'do', name: 'Cloud', secrets: token() };
  const other = { ...body, name: 'do.droplet.delete' };
  assert.equal((await s.send('POST', '/v1/tools', other)).status, 201);
  const refused = await setUp(setting);
  assert.equal(refused.json.error.code, 'ALREADY_EXISTS', refused.text);
  const credentials = (await s.send('GET', '/v1/credentials')).json as { name: string }[];
  assert.ok(credentials.every(({ name }) => name !== 'Cloud'));
  assert.equal((await s.send('GET', '/v1/tools?q=do.droplet.list')).json.total, 0);
});

test('each value and secret that an application needs is checked with a pointer', async () => {
  const fault = async (body: object) => (await setUp(body)).json.error?.details?.faults?.[0]?.pointer;
  assert.equal(await fault({ application: 'none' }), '/application');
  assert.equal(await fault({ application: 'github' }), '');
  assert.equal(await fault({ application: 'github', secrets: [{ name: 'other', secret: 'a-token' }] }), '/secrets');
  assert.equal(await fault({ application: 'github', secrets: token(), actions: ['issue.none'] }), '/actions/0');
  const jira = { application: 'jira', secrets: [{ name: 'api_token', secret: 'a-token-of-the-service' }] };
  assert.equal(await fault(jira), '/values/site');
  assert.equal(await fault({ ...jira, values: { site: 'evil.example/x', email: 'a@b.example' } }), '/values/site');
  assert.equal(await fault({ ...jira, values: { site: 'shop', email: 'a@b.example', more: 'x' } }), '/values/more');
  const nothing = await setUp({ application: 'postgres', secrets: token() });
  assert.equal(nothing.json.error.code, 'UNPROCESSABLE');
});

test('two secrets of an application become one credential', async () => {
  const secrets = [
    { name: 'api_key', secret: 'the-first-key-of-it' },
    { name: 'application_key', secret: 'the-other-key-of-it' },
  ];
  const made = await setUp({ application: 'datadog', values: { site: 'datadoghq.eu' }, secrets, actions: ['monitor.get'] });
  assert.equal(made.status, 201, made.text);
  const credential = (await s.send('GET', `/v1/credentials/${made.json.credential_id}`)).json;
  assert.deepEqual(credential.extras, [{ in: 'HEADER', name: 'dd-application-key' }]);
  assert.deepEqual(credential.destinations, ['api.datadoghq.eu']);
});

test('updateIntegration adds actions, changes values and keeps what people changed', async () => {
  const secrets = [{ name: 'api_key', secret: 'a-key-of-the-service' }];
  const values = { from_email: 'one@service.example' };
  const { id, tools } = (await setUp({ application: 'pagerduty', values, secrets, actions: ['incident.get'] })).json;
  const [{ tool_id }] = tools;
  await s.send('PATCH', `/v1/tools/${tool_id}`, { description: 'Ours.', accept_warnings: true });
  const changed = await s.send('PATCH', `/v1/integrations/${id}`, {
    name: 'Alerts',
    values: { from_email: 'two@service.example' },
    actions: ['note.create'],
  });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(
    changed.json.results.map(({ key, outcome }: Record<string, string>) => [key, outcome]),
    [
      ['incident.get', 'UPDATED'],
      ['note.create', 'CREATED'],
    ],
  );
  assert.deepEqual([changed.json.name, changed.json.values], ['Alerts', { from_email: 'two@service.example' }]);
  const tool = (await s.send('GET', `/v1/tools/${tool_id}`)).json;
  assert.deepEqual([tool.description, tool.execution.headers.from], ['Ours.', 'two@service.example']);
  const newer = await s.send('PATCH', `/v1/integrations/${id}`, { entry_version: 99 });
  assert.equal(newer.json.error.details.faults[0].pointer, '/entry_version');
});

test('removeIntegration, getIntegration and listIntegrations: removing disables the tools and keeps the credential', async () => {
  const { id, tools, credential_id } = (await setUp({ application: 'figma', secrets: token(), actions: ['file.get'] })).json;
  const removed = await s.send('DELETE', `/v1/integrations/${id}`);
  assert.deepEqual([removed.status, removed.json.status, removed.json.tools[0].status], [200, 'REMOVED', 'DISABLED']);
  assert.equal((await s.send('GET', `/v1/tools/${tools[0].tool_id}`)).json.status, 'DISABLED');
  assert.equal((await s.send('GET', `/v1/credentials/${credential_id}`)).json.status, 'ACTIVE');
  assert.equal((await s.send('GET', `/v1/integrations/${id}`)).json.status, 'REMOVED');
  const listed = (await s.send('GET', '/v1/integrations?status=REMOVED')).json;
  assert.deepEqual([listed.total, listed.items[0].id], [1, id]);
  assert.equal((await s.send('DELETE', `/v1/integrations/${id}`)).json.error.code, 'INVALID_STATE_TRANSITION');
  assert.equal((await s.send('PATCH', `/v1/integrations/${id}`, { name: 'x' })).json.error.code, 'INVALID_STATE_TRANSITION');
});
