import { spend, type Test } from '../evaluation/node.ts';
import { FALSE, TRUE, UNKNOWN } from '../evaluation/outcome.ts';
import { WORK } from '../evaluation/prices.ts';
import { domainOfAddress } from '../values/text-patterns.ts';

/** The text is a single e-mail address, and its domain is one of these, ignoring case. Lists and display names do not match. */
export const compileEmailDomain = (domains: readonly string[]): Test => {
  const listed = new Set(domains.map((domain) => domain.toLowerCase()));
  return (actual, run) => {
    if (typeof actual !== 'string') return UNKNOWN;
    spend(run, WORK.search + actual.length * WORK.character);
    const domain = domainOfAddress(actual);
    return domain !== null && listed.has(domain) ? TRUE : FALSE;
  };
};
