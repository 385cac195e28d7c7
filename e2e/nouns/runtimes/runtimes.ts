import { startAutomationServer } from '@svc/testing/peers/automation/automation-server.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import type { NounTests } from '../noun-tests.ts';
import type { NounScene } from '../scene/scene.ts';
import { ownColumns } from '../scope-sql.ts';

const reason = 'test';
const KEY = 'an-api-key-of-the-instance';

/** A client file that names an MCP server which is not the gateway. */
const clientFile = (word: string) => ({
  path: `/project/${word}/.mcp.json`,
  content: JSON.stringify({ mcpServers: { direct: { url: 'https://mcp.service.example/mcp' } } }),
});

const newClient = async ({ make, tenant, name }: NounScene): Promise<string> => {
  const { workspace_id, environment_id } = tenant;
  const { id } = await make('POST', '/v1/runtimes', { name: name('Client'), kind: 'MCP_CLIENT', workspace_id, environment_id });
  return id;
};

const newReported = async (scene: NounScene): Promise<{ runtimeId: string; findingId: string }> => {
  const runtimeId = await newClient(scene);
  await scene.make('POST', `/v1/runtimes/${runtimeId}/reports`, { files: [clientFile('test')] });
  const { data } = await scene.make('GET', `/v1/runtime-findings?runtime_id=${runtimeId}&kind=MCP_SERVER_DIRECT`);
  return { runtimeId, findingId: data[0].id };
};

const instanceBody = ({ tenant, name }: NounScene, base_url: string) => {
  const { workspace_id, environment_id } = tenant;
  return { name: name('Instance'), kind: 'WORKFLOW_AUTOMATION', workspace_id, environment_id, base_url };
};

/** Creates an instance whose status was better than its coming evidence. */
const newVerified = async (scene: NounScene): Promise<{ runtimeId: string; credentialId: string }> => {
  const { id, credential_id } = await scene.make('POST', '/v1/runtimes', {
    ...instanceBody(scene, 'https://one.example.com'),
    api_key: KEY,
  });
  await scene.database.query("update runtimes set enforcement = 'DETECTED' where id = $1", [id]);
  return { runtimeId: id, credentialId: credential_id };
};

/** A managed instance of the agent of the scene, whose hook file asks the gateway. */
const askAsHook = async (scene: NounScene, word: string, body: object) => {
  const { tenant, places, name } = scene;
  const { agent, token, environment_id } = places.ENFORCE;
  const { id } = await scene.make('POST', '/v1/runtimes', {
    ...{ name: name('Managed'), kind: 'WORKFLOW_AUTOMATION_MANAGED', workspace_id: tenant.workspace_id, environment_id },
    ...{ agent_id: agent.id, base_url: 'https://one.example.com', fail_closed: false },
  });
  const answer = await scene.ask(token, 'POST', `/gateway/v1/runtimes/${id}/${word}`, body);
  return { id: id as string, answer, by: { type: 'AGENT', id: agent.id } as const };
};

const about = (runtimeId: string) => ['runtime', runtimeId] as const;
const aboutFinding = (findingId: string) => ['runtime_finding', findingId] as const;

export const runtimeTests = {
  scopes: { runtime: ownColumns('runtimes'), runtime_finding: ownColumns('runtime_findings') },
  one: async ({ controlUrl, token, environment_id }, word, { environment_id: within }) => {
    const place = within ?? environment_id;
    const environments: { id: string; workspace_id: string }[] = await newControlClient(controlUrl, token).listEnvironments();
    const workspace_id = environments.find(({ id }) => id === place)?.workspace_id;
    const body = { name: word, kind: 'MCP_CLIENT', workspace_id, environment_id: place };
    const { id } = await mustCall(controlUrl, 'POST', '/v1/runtimes', { token, body });
    await newControlClient(controlUrl, token).reportRuntime({ params: { runtimeId: id }, body: { files: [clientFile(word)] } });
    const { data } = await mustCall(controlUrl, 'GET', `/v1/runtime-findings?runtime_id=${id}&kind=MCP_SERVER_DIRECT`, { token });
    return { runtimeId: id as string, findingId: data[0].id as string };
  },
  bodies: ({ made, tenant }) => ({
    registerRuntime: {
      ...{ name: `Runtime ${made}`, kind: 'MCP_CLIENT', workspace_id: tenant.workspace_id, environment_id: tenant.environment_id },
    },
    updateRuntime: { name: `Runtime ${made}` },
    replaceRuntimeApiKey: { api_key: KEY },
    testRuntime: {},
    verifyRuntime: {},
    operateRuntime: { operation: 'PAUSE', reason },
    disconnectRuntime: { reason },
    reportRuntime: { files: [clientFile(`made${made}`)] },
    acceptRuntimeFinding: { reason },
    askRuntimeHook: { event: 'workflow.preExecute', workflow_id: 'w1', node_types: ['n8n-nodes-base.httpRequest'] },
    reportRuntimeHeartbeat: { process_id: 'process-1', hook_sha256: '0'.repeat(64), levers: { NODES_INCLUDE: null } },
  }),
  recipes: {
    registerRuntime: async (scene) => {
      const answer = await scene.send('POST', '/v1/runtimes', { ...instanceBody(scene, 'https://one.example.com'), api_key: KEY });
      const { id, credential_id } = answer.json;
      return [
        {
          answer,
          events: [
            ['credential.created', 'credential', credential_id],
            ['integration.created', ...about(id)],
          ],
        },
      ];
    },
    updateRuntime: async (scene) => {
      const { runtimeId, credentialId } = await newVerified(scene);
      const answer = await scene.send('PATCH', `/v1/runtimes/${runtimeId}`, { base_url: 'https://two.example.com' });
      return [
        {
          answer,
          events: [
            ['credential.revoked', 'credential', credentialId],
            ['integration.updated', ...about(runtimeId)],
            ['compliance.control_updated', ...about(runtimeId)],
          ],
        },
      ];
    },
    replaceRuntimeApiKey: async (scene) => {
      const instance = await startAutomationServer();
      const { id } = await scene.make('POST', '/v1/runtimes', instanceBody(scene, instance.url));
      const path = `/v1/runtimes/${id}/api-key`;
      const first = await scene.send('PUT', path, { api_key: instance.key });
      const { credential_id } = first.json;
      const other = await scene.make('POST', '/v1/runtimes', { ...instanceBody(scene, instance.url), api_key: instance.key });
      const second = await scene.send('PUT', `/v1/runtimes/${other.id}/api-key`, { api_key: 'another-key-of-the-instance', test: false });
      await instance.close();
      return [
        {
          answer: first,
          events: [
            ['credential.created', 'credential', credential_id],
            ['integration.updated', ...about(id)],
          ],
        },
        { answer: second, events: [['credential.rotated', 'credential', other.credential_id]] },
      ];
    },
    testRuntime: async (scene) => {
      const instance = await startAutomationServer();
      const body = { ...instanceBody(scene, instance.url), api_key: instance.key };
      const { id, credential_id } = await scene.make('POST', '/v1/runtimes', body);
      const answer = await scene.send('POST', `/v1/runtimes/${id}/test`, {});
      await instance.close();
      return [
        {
          answer,
          events: [
            ['credential.issued', 'credential', credential_id],
            ['integration.updated', ...about(id)],
          ],
        },
      ];
    },
    verifyRuntime: async (scene) => {
      const { runtimeId } = await newReported(scene);
      await scene.database.query("update runtimes set enforcement = 'PARTIAL' where id = $1", [runtimeId]);
      const answer = await scene.send('POST', `/v1/runtimes/${runtimeId}/verify`, {});
      return [
        {
          answer,
          events: [
            ['compliance.control_updated', ...about(runtimeId)],
            ['integration.updated', ...about(runtimeId)],
          ],
        },
      ];
    },
    reportRuntime: async (scene) => {
      const runtimeId = await newClient(scene);
      const answer = await scene.send('POST', `/v1/runtimes/${runtimeId}/reports`, { files: [clientFile('test')] });
      return [
        {
          answer,
          events: [
            ['compliance.control_updated', ...about(runtimeId)],
            ['integration.updated', ...about(runtimeId)],
          ],
        },
      ];
    },
    operateRuntime: async (scene) => {
      const runtimeId = await newClient(scene);
      const answer = await scene.send('POST', `/v1/runtimes/${runtimeId}/operate`, { operation: 'PAUSE', reason });
      return [{ answer, events: [['security.emergency_action_executed', ...about(runtimeId)]] }];
    },
    disconnectRuntime: async (scene) => {
      const { runtimeId, credentialId } = await newVerified(scene);
      const answer = await scene.send('POST', `/v1/runtimes/${runtimeId}/disconnect`, { reason });
      return [
        {
          answer,
          events: [
            ['credential.revoked', 'credential', credentialId],
            ['integration.updated', ...about(runtimeId)],
            ['compliance.control_updated', ...about(runtimeId)],
          ],
        },
      ];
    },
    askRuntimeHook: async (scene) => {
      const body = { event: 'workflow.preExecute', workflow_id: 'w1', node_types: ['n8n-nodes-base.httpRequest'] };
      const { id, answer, by } = await askAsHook(scene, 'ask', body);
      return [{ answer, by, events: [['security.destination_blocked', ...about(id)]] }];
    },
    reportRuntimeHeartbeat: async (scene) => {
      const body = { process_id: 'process-1', hook_sha256: '0'.repeat(64), levers: { NODES_INCLUDE: null } };
      const { answer, by } = await askAsHook(scene, 'heartbeat', body);
      return [{ answer, by, events: [] }];
    },
    acceptRuntimeFinding: async (scene) => {
      const { runtimeId, findingId } = await newReported(scene);
      const answer = await scene.send('POST', `/v1/runtime-findings/${findingId}/accept`, { reason });
      return [
        {
          answer,
          events: [
            ['risk.acknowledged', ...aboutFinding(findingId)],
            ['compliance.control_updated', ...about(runtimeId)],
          ],
        },
      ];
    },
    withdrawRuntimeFindingAcceptance: async (scene) => {
      const { runtimeId, findingId } = await newReported(scene);
      await scene.make('POST', `/v1/runtime-findings/${findingId}/accept`, { reason });
      const answer = await scene.send('DELETE', `/v1/runtime-findings/${findingId}/acceptance`);
      return [
        {
          answer,
          events: [
            ['risk.acknowledged', ...aboutFinding(findingId)],
            ['compliance.control_updated', ...about(runtimeId)],
          ],
        },
      ];
    },
  },
} as const satisfies NounTests;
