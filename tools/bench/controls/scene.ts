import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

const reason = 'bench';
const PARAMETERS_SCHEMA = {
  type: 'object',
  properties: { url: { type: 'string' }, to: { type: 'string' }, customer: { type: 'string' }, text: { type: 'string' } },
};
const TOOL = { destination_allowlist: ['*.example.com'], destination_from: '/url', parameters_schema: PARAMETERS_SCHEMA };

/** A request that goes out, so that its content is searched and its labels are compared. */
export const REQUEST = {
  parameters: { url: 'https://api.example.com/in', to: 'ann@example.com', customer: 'ann@example.com', text: 'Your order is on its way.' },
};

/** A tenant with one agent and one tool that nothing is declared of. */
export const newPlain = (planes: Planes): Promise<Governed> => newGoverned(planes, { tool: TOOL });

const TEMPLATES = ['secrets-stay-inside', 'approve-confidential-egress', 'high-score-needs-approval', 'no-secrets-out'];

const activateTemplate = async ({ tenant, owner }: Governed, template: string): Promise<void> => {
  const body = { name: template, template, binding: { scope: 'ENVIRONMENT', id: tenant.environment_id } };
  const policy = await mustCall(tenant.controlUrl, 'POST', '/v1/policies', { token: tenant.token, body });
  const { versions } = policy;
  const activated = await owner('POST', `/v1/policies/${policy.id}/activate`, {
    version_id: versions[0].version_id,
    reason,
    accept_warnings: true,
  });
  if (activated.status !== 200) throw new Error(activated.text);
};

/** The same with labels, flow and score templates, incident rules and a blocked destination. */
export const newFull = async (planes: Planes): Promise<Governed> => {
  const governed = await newPlain(planes);
  const { owner, tenant, tool } = governed;
  const must = async (method: string, path: string, body: object): Promise<void> => {
    const answer = await owner(method, path, { reason, ...body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  };
  await must('PUT', `/v1/tools/${tool.id}/flow`, {
    ...{
      labels: ['personal_data', 'untrusted_content'],
      reach: 'EXTERNAL',
      readers_from: ['/customer'],
      recipient_from: '/to',
      record_from: '/customer',
    },
  });
  for (const template of TEMPLATES) await activateTemplate(governed, template);
  for (const condition of ['REFUSALS', 'RISK_HIGH', 'DESTINATION_BLOCKED'])
    await must('POST', '/v1/incident-rules', { environment_id: tenant.environment_id, name: condition, condition, severity: 'LOW' });
  await must('POST', '/v1/emergency/block-destination', { target: 'blocked.example', confirm_blast_radius: 0 });
  return governed;
};
