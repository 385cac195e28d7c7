import { isAllowed } from '../../tools/destinations/allowlist.ts';
import type { Destination } from '../../tools/destinations/parse-destination.ts';
import type { RiskRules } from '../risk-settings/resolve-settings.ts';
import { type FlowContext, type FlowSource, isConfidential, type Reach } from './flow-context.ts';

/** A request as flow rules see it. `people` are the marks of whom it goes to or is about. */
export type Outgoing = {
  readonly reach: Reach;
  readonly destination: Destination | null;
  readonly people: readonly string[];
  /** True if every recipient has an address of the organization's own hosts. */
  readonly isForOwnPeople: boolean;
};

/** Returns true if the request leaves the organization, or may. */
export const isOutgoing = (
  { reach, destination }: Pick<Outgoing, 'reach' | 'destination'>,
  { internal }: Pick<RiskRules, 'internal'>,
): boolean => {
  if (reach !== 'EXTERNAL') return reach === 'PUBLIC';
  return destination === null || !isAllowed(internal, destination);
};

/** True if the data is about no one, or about everyone whom the request goes to or is about. */
const hasSameSubject = ({ readers }: FlowSource, { people }: Outgoing): boolean =>
  readers === null || (people.length > 0 && people.every((person) => readers.includes(person)));

const isProcessed = ({ processors }: Pick<RiskRules, 'processors'>, label: string, destination: Destination): boolean =>
  processors.some(({ entry, labels }) => labels.includes(label) && isAllowed([entry], destination));

const mayReturn = (source: FlowSource, request: Outgoing, rules: Pick<RiskRules, 'processors'>): boolean => {
  const { reach, destination, people, isForOwnPeople } = request;
  if (reach === 'PUBLIC') return false;
  const { readers } = source;
  if (people.length > 0 && (isForOwnPeople || (readers !== null && people.every((person) => readers.includes(person))))) return true;
  if (destination === null) return false;
  if (source.hosts.includes(destination.host)) return true;
  if (source.host === destination.host) return hasSameSubject(source, request);
  // A processor that receives no person may get the data; one that receives other people than its subjects may not.
  return isProcessed(rules, source.label, destination) && (people.length === 0 || hasSameSubject(source, request));
};

/**
 * Returns confidentiality labels that the request could carry to a destination other than their origin and to people they are not about.
 */
export const labelsLeaving = (
  context: Pick<FlowContext, 'labels' | 'sources' | 'is_overflowing'>,
  request: Outgoing,
  rules: Pick<RiskRules, 'internal' | 'processors'>,
): string[] => {
  if (!isOutgoing(request, rules)) return [];
  return context.labels.filter((label) => {
    if (!isConfidential(label)) return false;
    const sources = context.sources.filter((source) => source.label === label);
    return context.is_overflowing || sources.length === 0 || sources.some((source) => !mayReturn(source, request, rules));
  });
};
