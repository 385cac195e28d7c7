import type { AgentTrust, TrustRequirement } from '@svc/contract/risk/trust/trust-shapes.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { computeTrust, type EvidenceFacts, supporting } from '@svc/domain/risk/trust/trust-level.ts';
import { findShortfall, listShortfallTexts } from '@svc/domain/risk/trust/trust-requirement.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { listEvidenceOfAgent, type TrustEvidenceRow } from '@svc/postgres/risk/trust/trust-evidence.ts';
import { findRequirement, findTrustedAgent, listRequiringTools } from '@svc/postgres/risk/trust/trust-requirements.ts';
import { asTrustEvidence } from './as-trust-evidence.ts';

const TOOLS_MAX = 99;

type Requiring = {
  readonly of: 'ENVIRONMENT' | 'TOOL';
  readonly id: string;
  readonly name: string;
  readonly requires_trust: TrustRequirement | null;
};

const asFacts = (row: TrustEvidenceRow): EvidenceFacts => ({ ...row });

/** Selects the evidence that decisions count now. */
const selectCounting = (rows: readonly TrustEvidenceRow[], now: Date): readonly EvidenceFacts[] =>
  rows.filter((row) => !row.is_revoked && row.is_bound && Date.parse(row.expires_at) > now.getTime()).map(asFacts);

const bestKinds = (pieces: readonly EvidenceFacts[]): AgentTrust['kinds'] => {
  const best = new Map<EvidenceFacts['kind'], EvidenceFacts>();
  for (const piece of supporting(pieces)) if (piece.level > (best.get(piece.kind)?.level ?? 0)) best.set(piece.kind, piece);
  return [...best.values()]
    .map(({ kind, level, expires_at }) => ({ kind, level, expires_at }))
    .sort((one, other) => (one.kind < other.kind ? -1 : 1));
};

/** The proof that gives each level, from the lowest. */
const RAISES = [
  'Let a person state a review of the agent (format NONE, a MANUAL provider): level 1.',
  'Let another person than the one who registered the agent or made its key state it: level 2.',
  'Add a document that is signed by a registered key and names the agent, its key or its artifact: level 3.',
  'Add a document of an independent provider, or a bundle of a signing service whose identity is registered exactly: level 4.',
] as const;

const listNextSteps = (
  level: number,
  isLowered: boolean,
  missing: readonly string[],
  rows: readonly TrustEvidenceRow[],
  now: Date,
): string[] => {
  const unbound = rows.some((row) => !row.is_revoked && !row.is_bound && Date.parse(row.expires_at) > now.getTime());
  return [
    ...(isLowered ? ['A failed result or an open vulnerability keeps the level at 1 or 0. Fix it and revoke that piece.'] : []),
    ...(unbound
      ? ['Some evidence is about a former key or artifact. Add evidence about the current one, or set the digests of the artifacts.']
      : []),
    ...missing,
    ...(isLowered ? [] : RAISES.slice(level, level + 1)),
  ];
};

/** Describes the current trust in an agent, what is required of it, and how to raise it. */
export const describeAgentTrust = async (
  tx: TenantTransaction,
  organizationId: string,
  agentId: string,
  now: Date,
): Promise<AgentTrust | Refusal<'NOT_FOUND'>> => {
  const agent = await findTrustedAgent(tx, organizationId, agentId);
  const environment = agent && (await findRequirement(tx, 'environments', organizationId, agent.environment_id));
  if (!agent || !environment) return buildRefusal('NOT_FOUND');
  const rows = await listEvidenceOfAgent(tx, organizationId, agentId);
  const pieces = selectCounting(rows, now);
  const { level, is_lowered } = computeTrust(pieces);
  const tools = await listRequiringTools(tx, organizationId, agentId, TOOLS_MAX);
  const requiring: readonly Requiring[] = [
    { of: 'ENVIRONMENT', ...environment },
    ...tools.map((tool) => ({ of: 'TOOL' as const, ...tool })),
  ];
  const requirements = requiring.flatMap(({ of, id, name, requires_trust: requires }) => {
    if (requires === null) return [];
    const shortfall = findShortfall(requires, pieces, now);
    const missing = shortfall ? [...listShortfallTexts(requires, shortfall)] : [];
    return [{ of, id, name, requires, is_met: shortfall === undefined, missing }];
  });
  const missing = requirements.flatMap(({ of, name, missing: texts }) =>
    texts.map((text) => `${of === 'TOOL' ? 'Tool' : 'Environment'} ${name}: ${text}`),
  );
  const expiries = pieces.map(({ expires_at }) => expires_at).sort();
  return {
    ...{ agent_id: agentId, level, is_lowered, kinds: bestKinds(pieces), evidence: rows.map((row) => asTrustEvidence(row, now)) },
    ...{ key_thumbprint: agent.key_thumbprint, artifact_digests: [...agent.artifact_digests], requirements },
    next_steps: listNextSteps(level, is_lowered, [...new Set(missing)].slice(0, 20), rows, now),
    next_expiry_at: expiries[0] ?? null,
  };
};
