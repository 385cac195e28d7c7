import type { VersionBody } from '@svc/contract/policies/language.ts';
import { POLICY_SCOPES } from '@svc/contract/tables/vocabulary.ts';
import { validateVersion } from '@svc/policy/validate/validate-version.ts';
import { isCurrency, isText, isWhole, matchWords, mustFit, UnfitRow } from './unfit-row.ts';

const getRules = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** Returns the rules of a stored version, validated like at saving. Throws if they would not be saved. */
export const fitRules = (id: string, text: string): VersionBody['rules'] => {
  const valid = validateVersion({ rules: getRules(text), tests: [] });
  if (!valid.ok) throw new UnfitRow('policy_versions', id, `rules${valid.faults[0]?.pointer ?? ''}`);
  return valid.body.rules;
};

/** A policy in force with the binding it is in force by. */
export type BoundRow = {
  readonly policy_id: string;
  readonly policy_name: string;
  readonly is_deleted: boolean;
  readonly version_id: string;
  readonly version_number: number;
  readonly status: string;
  readonly currency: string;
  readonly scope: string;
  readonly target_id: string;
};

/** Throws at a policy, version or binding that is not as the service writes it; what could have been meant by it is never guessed. */
export const mustFitBound = (row: BoundRow): void => {
  mustFit('policy_bindings', row.policy_id, row, { scope: matchWords(POLICY_SCOPES), target_id: isText });
  mustFit('policies', row.policy_id, row, { policy_name: isText, is_deleted: (value) => value === false });
  mustFit('policy_versions', row.version_id, row, {
    status: (value) => value === 'ACTIVE',
    currency: isCurrency,
    version_number: isWhole(1),
  });
};
