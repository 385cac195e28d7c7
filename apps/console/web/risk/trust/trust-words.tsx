import type { TrustEvidence, TrustProvider } from '@svc/contract/risk/trust/trust-shapes.ts';
import type { EvidenceKind, EvidenceStatus, TrustProviderKind } from '@svc/contract/risk/trust/vocabulary.ts';
import type { ReactNode } from 'react';
import { refresh } from '../../data/use-operation.ts';
import { StatusPill, type Tone } from '../../design/status-pill.tsx';

export type { TrustEvidence, TrustProvider };

/** Reads everything of trust again after a change. */
export const refreshTrust = (): Promise<void> => refresh('getAgentTrust', 'listTrustEvidence', 'getTrustProvider', 'listTrustProviders');

export const KIND_NAMES: Readonly<Record<EvidenceKind, string>> = {
  attestation: 'Attestation',
  security_review: 'Security review',
  certificate: 'Certificate',
  test_result: 'Test result',
  provenance: 'Provenance',
  sbom: 'SBOM',
  vex: 'VEX',
  agent_card: 'Agent card',
  model_card: 'Model card',
};

export const PROVIDER_NAMES: Readonly<Record<TrustProviderKind, string>> = {
  KEYS: 'Signatures by keys',
  SIGSTORE: 'Bundles of a signing service',
  MANUAL: 'Statements of people',
};

const STATUSES: Readonly<Record<EvidenceStatus, { readonly tone: Tone; readonly name: string }>> = {
  VALID: { tone: 'allowed', name: 'Valid' },
  EXPIRING: { tone: 'held', name: 'Expires soon' },
  EXPIRED: { tone: 'blocked', name: 'Expired' },
  REVOKED: { tone: 'blocked', name: 'Revoked' },
  UNBOUND: { tone: 'blocked', name: 'About a former key or artifact' },
};

export const EvidencePill = ({ status }: { readonly status: EvidenceStatus }): ReactNode => (
  <StatusPill tone={STATUSES[status].tone}>{STATUSES[status].name}</StatusPill>
);

export const ProviderPill = ({ status }: Pick<TrustProvider, 'status'>): ReactNode => (
  <StatusPill tone={status === 'ACTIVE' ? 'allowed' : 'blocked'}>{status === 'ACTIVE' ? 'Active' : 'Disabled'}</StatusPill>
);
