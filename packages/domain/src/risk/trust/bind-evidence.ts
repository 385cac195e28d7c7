import type { EvidenceBinding } from '@svc/contract/risk/trust/vocabulary.ts';
import type { EvidenceClaims } from './evidence-claims.ts';

/** The agent that evidence has to be about. */
export type BoundAgent = {
  readonly id: string;
  /** RFC 7638 thumbprint of its key in use. */
  readonly key_thumbprint: string;
  readonly artifact_digests: readonly string[];
};

type BindingTarget = { readonly by: EvidenceBinding; readonly to: string | null };
type Binding = BindingTarget | { readonly fault: string };

/**
 * Binds claims to an agent. Every name that they state must be of this agent, and one has to be stated. The narrowest binds: evidence about a key
 * or an artifact ends with it.
 */
export const bindEvidence = ({ agent, key, artifacts }: EvidenceClaims, bound: BoundAgent): Binding => {
  if (agent !== undefined && agent !== bound.id) return { fault: 'The document is about another agent (sub).' };
  if (key !== undefined && key !== bound.key_thumbprint)
    return { fault: 'The document is about another key than the agent has (cnf.jkt).' };
  const artifact = artifacts.find((digest) => bound.artifact_digests.includes(digest));
  if (artifacts.length > 0 && artifact === undefined)
    return { fault: 'The document is about another artifact than the agent consists of. Set the digests of the agent first.' };
  if (artifact !== undefined) return { by: 'ARTIFACT', to: artifact };
  if (key !== undefined) return { by: 'AGENT_KEY', to: key };
  if (agent !== undefined) return { by: 'AGENT_ID', to: null };
  return { fault: 'The document names no agent: it must state sub, cnf.jkt or the digest of an artifact of the agent.' };
};
