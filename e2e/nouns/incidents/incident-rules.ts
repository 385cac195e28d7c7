import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type NounTests, reason } from '../noun-tests.ts';
import type { NounScene } from '../scene/scene.ts';
import { ownColumns } from '../scope-sql.ts';

const REFUSALS = { condition: 'REFUSALS', count: 5, within_seconds: 60, severity: 'LOW', reason } as const;

const newRule = ({ make, name, tenant }: NounScene): Promise<{ id: string }> =>
  make('POST', '/v1/incident-rules', { ...REFUSALS, environment_id: tenant.environment_id, name: name('Rule') });

const updated = 'risk.configuration_updated' as const;

export const incidentRuleTests = {
  one: async ({ controlUrl, token, environment_id }, word, within) => {
    const body = { ...REFUSALS, name: `${word} rule`, environment_id: within.environment_id ?? environment_id };
    const { id: incidentRuleId } = await newControlClient(controlUrl, token).createIncidentRule({ body });
    return { incidentRuleId };
  },
  scopes: { incident_rule: ownColumns('incident_rules') },
  bodies: ({ made, tenant }) => ({
    createIncidentRule: { ...REFUSALS, name: `Rule ${made}`, environment_id: tenant.environment_id },
    updateIncidentRule: { name: `Rule ${made}`, reason },
    deleteIncidentRule: { reason },
  }),
  recipes: {
    createIncidentRule: async ({ send, name, tenant }) => {
      const body = { ...REFUSALS, environment_id: tenant.environment_id, name: name('Rule') };
      const answer = await send('POST', '/v1/incident-rules', body);
      return [{ answer, events: [[updated, 'incident_rule', answer.json.id]] }];
    },
    updateIncidentRule: async (scene) => {
      const { id } = await newRule(scene);
      const answer = await scene.send('PATCH', `/v1/incident-rules/${id}`, { name: scene.name('Rule'), enabled: false, reason });
      return [{ answer, events: [[updated, 'incident_rule', id]] }];
    },
    deleteIncidentRule: async (scene) => {
      const { id } = await newRule(scene);
      const answer = await scene.send('DELETE', `/v1/incident-rules/${id}`, { reason });
      return [{ answer, events: [[updated, 'incident_rule', id]] }];
    },
  },
} as const satisfies NounTests;
