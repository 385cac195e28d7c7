import assert from 'node:assert/strict';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

export const reason = 'test';
const RULES = [
  { id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' },
  {
    id: 'secrets',
    effect: 'BLOCK',
    reason: 'A secret leaves.',
    when: { field: 'session.labels_leaving', op: 'contains', value: 'secret' },
  },
  {
    ...{ id: 'leaving', effect: 'REQUIRE_APPROVAL', reason: 'Data of people leaves.' },
    when: { field: 'session.labels_leaving', op: 'contains', value: 'personal_data' },
  },
];

export type FlowScene = Governed & {
  readonly ask: (tool: string, parameters: object, gateway?: number, more?: object, token?: string) => ReturnType<Governed['act']>;
};

/** Creates an agent that reads customers and secrets, and sends mails. */
export const newFlowScene = async (planes: Planes): Promise<FlowScene> => {
  const governed = await newGoverned(planes, { rules: RULES });
  const { owner, tenant, agent, act } = governed;
  for (const [name, flow] of [
    ['crm.read', { labels: ['personal_data'], readers_from: ['/customer'] }],
    ['vault.read', { labels: ['secret'] }],
    ['mail.send', { reach: 'EXTERNAL', recipient_from: '/to' }],
  ] as const) {
    const tool = await owner('POST', '/v1/tools', { name, environment_id: tenant.environment_id, required_capability: 'pay', kind: 'SDK' });
    assert.equal(tool.status, 201, tool.text);
    await owner('POST', `/v1/tools/${tool.json.id}/agents`, { agent_id: agent.id });
    const declared = await owner('PUT', `/v1/tools/${tool.json.id}/flow`, { ...flow, reason });
    assert.equal(declared.status, 200, declared.text);
  }
  return {
    ...governed,
    ask: (tool, parameters, gateway = 0, more = {}, token = governed.token) => act({ tool, parameters, ...more }, { gateway, token }),
  };
};

export const getCode = async (answer: ReturnType<Governed['act']>): Promise<string> => {
  const { status, json } = await answer;
  return status === 200 ? 'ALLOWED' : json.error.code;
};
