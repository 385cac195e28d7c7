import { RISK_RATINGS, type RiskRating } from '@svc/contract/tables/vocabulary.ts';
import { destinationsWithin } from '../destinations/destinations-within.ts';

/** The members of a declaration that label a tool, and its destinations: rules rely on them without reading a request. */
export type Labels = {
  readonly risk_rating: RiskRating;
  readonly dangerous: boolean;
  readonly destination_allowlist: readonly string[];
};

/** True for a tool that people prove themselves for before they change it or give it to an agent. */
export const isDamaging = ({ risk_rating, dangerous }: Pick<Labels, 'risk_rating' | 'dangerous'>): boolean =>
  dangerous || risk_rating === 'CRITICAL';

/** True if more destinations pass than before. An empty list also passes a request that names no destination. */
const isWidened = (before: readonly string[], after: readonly string[]): boolean =>
  !destinationsWithin(after, before) || (after.length === 0 && before.length > 0);

/** True if a change lowers the risk rating, clears `dangerous` or widens the destinations. */
export const loosensDeclaration = (before: Labels, after: Labels): boolean =>
  RISK_RATINGS.indexOf(after.risk_rating) < RISK_RATINGS.indexOf(before.risk_rating) ||
  (before.dangerous && !after.dangerous) ||
  isWidened(before.destination_allowlist, after.destination_allowlist);
