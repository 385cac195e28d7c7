import { formatInDays, newEvidenceKey } from '@svc/testing/evidence/signed-evidence.ts';
import { insertTrust } from '@svc/testing/records/insert-trust.ts';
import type { NounTests } from '../noun-tests.ts';
import type { NounScene } from '../scene/scene.ts';
import { getWholeOrganization, ownColumns } from '../scope-sql.ts';

const reason = 'test';
const requires = { level: 3, evidence: ['security_review'] as const, max_age_days: 90 };

const manual = (name: string) => ({ name, kind: 'MANUAL', evidence_kinds: ['security_review'], max_level: 2 });

const newTool = ({ make, name, tenant }: NounScene, word: string) => {
  const called = name(word)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return make('POST', '/v1/tools', { name: called, environment_id: tenant.environment_id, required_capability: 'x', kind: 'SDK' });
};

export const trustTests = {
  scopes: {
    trust_provider: getWholeOrganization('trust_providers'),
    trust_evidence: ownColumns('trust_evidence'),
  },
  bodies: ({ made, agent, resources }) => {
    const statement = {
      ...{ agent_id: agent.id, provider_id: resources.trustProviderId, kind: 'security_review', format: 'NONE' },
      ...{ note: `Reviewed ${made}.`, expires_at: formatInDays(30) },
    };
    return {
      createTrustProvider: manual(`Provider ${made}`),
      disableTrustProvider: { reason },
      addTrustEvidence: statement,
      verifyTrustEvidence: statement,
      revokeTrustEvidence: { reason },
      setAgentArtifacts: { artifact_digests: [made.toString(16).padStart(64, '0')] },
      requireEnvironmentTrust: { requires: null, reason },
      requireToolTrust: { requires, reason },
    };
  },
  recipes: {
    createTrustProvider: async ({ send, name }) => {
      const answer = await send('POST', '/v1/trust/providers', manual(name('Provider')));
      return [{ answer, events: [['trust.provider_created', 'trust_provider', answer.json.id]] }];
    },
    disableTrustProvider: async ({ make, send, name }) => {
      const { id } = await make('POST', '/v1/trust/providers', manual(name('Provider')));
      const answer = await send('POST', `/v1/trust/providers/${id}/disable`, { reason });
      return [{ answer, events: [['trust.evidence_revoked', 'trust_provider', id]] }];
    },
    addTrustEvidence: async ({ make, send, agent, name }) => {
      const key = newEvidenceKey();
      const provider = { name: name('Provider'), kind: 'KEYS', keys: [key.jwk], evidence_kinds: ['security_review'], max_level: 3 };
      const { id: provider_id } = await make('POST', '/v1/trust/providers', provider);
      const { id: agent_id } = await agent();
      const exp = Math.floor(Date.now() / 1_000) + 86_400;
      const document = key.token({ sub: agent_id, evidence_kind: 'security_review', exp });
      const body = { agent_id, provider_id, kind: 'security_review', format: 'JWS', document, expires_at: formatInDays(30) };
      const answer = await send('POST', '/v1/trust/evidence', body);
      return [{ answer, events: [['trust.evidence_added', 'trust_evidence', answer.json.id]] }];
    },
    revokeTrustEvidence: async ({ planes, send, agent }) => {
      const { id } = await agent();
      const { trustEvidenceId } = await insertTrust(planes.database, id, 'recipe');
      const answer = await send('POST', `/v1/trust/evidence/${trustEvidenceId}/revoke`, { reason });
      return [{ answer, events: [['trust.evidence_revoked', 'trust_evidence', trustEvidenceId]] }];
    },
    setAgentArtifacts: async ({ send, agent }) => {
      const { id } = await agent();
      const answer = await send('PUT', `/v1/agents/${id}/trust/artifacts`, { artifact_digests: ['a'.repeat(64)] });
      return [{ answer, events: [['agent.updated', 'agent', id]] }];
    },
    requireEnvironmentTrust: async ({ make, send, name, tenant }) => {
      const body = { workspace_id: tenant.workspace_id, name: name('Trusting'), type: 'STAGING' };
      const { id } = await make('POST', '/v1/environments', body);
      const answer = await send('PUT', `/v1/environments/${id}/trust`, { requires, reason });
      return [{ answer, events: [['environment.updated', 'environment', id]] }];
    },
    requireToolTrust: async (scene) => {
      const { id } = await newTool(scene, 'trusting');
      const answer = await scene.send('PUT', `/v1/tools/${id}/trust`, { requires, reason });
      return [{ answer, events: [['tool.updated', 'tool', id]] }];
    },
  },
} as const satisfies NounTests;
