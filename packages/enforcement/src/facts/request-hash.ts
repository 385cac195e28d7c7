import canonicalize from 'canonicalize';
import type { Facts, Learned } from './facts.ts';
import { known } from './stage.ts';

/** The hash of a request as hex: keyed, and as it was kept before hashes were keyed. */
export type RequestHash = { readonly keyed: string; readonly unkeyed: string };

/** Whether what is kept is the hash of this request, whichever version wrote it. */
export const isHashOf = (kept: string, { keyed, unkeyed }: RequestHash): boolean => kept === keyed || kept === unkeyed;

/** A keyed hash over the canonical JSON of everything an approval is given for: any difference is another request. */
export const requestHash = (facts: Facts, learned: Learned): RequestHash => {
  const derived = known(learned.derived, 'request');
  const destination = derived.destination;
  const tool = known(learned.tool, 'tool');
  const bound = {
    agent: facts.agent.agent_id,
    tool: tool.id,
    // What people approved is what the tool declared then. The first declaration goes without a number, as before there were others.
    ...(tool.declaration_version === 1 ? {} : { declaration: tool.declaration_version }),
    parameters: derived.parameters,
    amount: derived.amount,
    currency: derived.currency,
    destination: destination ? `${destination.host}:${destination.port}` : null,
    delegation: facts.request.delegation_id ?? null,
  };
  return facts.requestHashes(known(canonicalize(bound), 'canonical request'));
};
