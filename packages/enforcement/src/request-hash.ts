import canonicalize from 'canonicalize';
import type { Facts, Learned } from './facts.ts';
import { known } from './stage.ts';

/** Hex SHA-256 over the canonical JSON of everything an approval is given for: any difference is another request. */
export const requestHash = (facts: Facts, learned: Learned): string => {
  const derived = known(learned.derived, 'request');
  const destination = derived.destination;
  const bound = {
    agent: facts.agent.agent_id,
    tool: known(learned.tool, 'tool').id,
    parameters: derived.parameters,
    amount: derived.amount,
    currency: derived.currency,
    destination: destination ? `${destination.host}:${destination.port}` : null,
    delegation: facts.request.delegation_id ?? null,
  };
  return facts.sha256(known(canonicalize(bound), 'canonical request'));
};
