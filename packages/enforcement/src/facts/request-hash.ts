import canonicalize from 'canonicalize';
import type { Facts, Learned } from './facts.ts';
import { requireKnown } from './stage.ts';

/** Hash of a request in hex: keyed, and unkeyed as stored by earlier versions. */
export type RequestHash = { readonly keyed: string; readonly unkeyed: string };

/** True if a stored value is the hash of this request, in either form. */
export const matchesHash = (kept: string, { keyed, unkeyed }: RequestHash): boolean => kept === keyed || kept === unkeyed;

/** Returns a keyed hash over the canonical JSON of everything an approval is for: any difference is another request. */
export const requestHash = (facts: Facts, learned: Learned): RequestHash => {
  const derived = requireKnown(learned.derived, 'request');
  const destination = derived.destination;
  const tool = requireKnown(learned.tool, 'tool');
  const bound = {
    agent: facts.agent.agent_id,
    tool: tool.id,
    // An approval is bound to the declaration of the tool at that time. The first declaration has no number, as before numbers existed.
    ...(tool.declaration_version === 1 ? {} : { declaration: tool.declaration_version }),
    parameters: derived.parameters,
    amount: derived.amount,
    currency: derived.currency,
    destination: destination ? `${destination.host}:${destination.port}` : null,
    delegation: facts.request.delegation_id ?? null,
  };
  return facts.requestHashes(requireKnown(canonicalize(bound), 'canonical request'));
};
