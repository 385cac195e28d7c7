import type { ControlPlane } from '../control-plane.ts';
import type { SeededAgents } from './seed-organization.ts';

const PROVIDER = 'Demo Bank reviewers';
const VALID_MS = 60 * 86_400_000;

/** Creates a provider of statements by people, and a review of the refund agent. Existing data is not changed. */
export const seedTrust = async (owner: ControlPlane, { refunds }: SeededAgents): Promise<void> => {
  const providers = await owner.ask('listTrustProviders', { query: { status: 'ACTIVE' } });
  const body = { name: PROVIDER, kind: 'MANUAL', evidence_kinds: ['security_review', 'model_card'], max_level: 2 } as const;
  const same = providers.find(({ name }) => name === PROVIDER);
  const provider = same ?? (await owner.ask('createTrustProvider', { body: { ...body, evidence_kinds: [...body.evidence_kinds] } }));
  const evidence = await owner.ask('listTrustEvidence', { query: { agent_id: refunds.id } });
  if (evidence.length > 0) return;
  await owner.ask('addTrustEvidence', {
    body: {
      ...{ agent_id: refunds.id, provider_id: provider.id, kind: 'security_review', format: 'NONE' },
      note: 'Prompts, tools and limits were reviewed. No finding is open.',
      expires_at: new Date(Date.now() + VALID_MS).toISOString(),
    },
  });
};
