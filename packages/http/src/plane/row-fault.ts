import type { CountedBudget } from '@svc/contract/rows/budget.ts';
import { type Endpoint, getAutomationRule } from '@svc/contract/rows/endpoint.ts';
import type { None } from '@svc/contract/rows/none.ts';
import type { RowCredential } from '@svc/contract/rows/row-authentication.ts';
import { isPathParameter, listParameterNames } from '@svc/contract/tables/path-parameters.ts';
import { WIRES } from '../wires/wires.ts';

const BUDGETS_OF: Readonly<Record<RowCredential, readonly CountedBudget[]>> = {
  none: ['guess', 'sign_in', 'mail', 'newcomer', 'sign_in_start', 'assertion', 'address'],
  person: ['caller', 'emergency', 'guess', 'sign_in'],
  caller: ['caller', 'emergency', 'guess'],
  agent: ['agent'],
  directory: ['directory'],
};

const isNone = (said: unknown): said is None => typeof (said as Partial<None> | undefined)?.none === 'string';

const hasBudget = ({ credential, budget }: Endpoint): boolean =>
  isNone(budget) ? credential === 'none' : BUDGETS_OF[credential].includes(budget);

/** True for a row that needs the shared store: an emergency, and a row on the path to one, may only depend on the database. */
const needsSharedStore = ({ emergency, byAnyClock, credential, budget }: Endpoint): boolean =>
  (emergency === true || byAnyClock === true) &&
  credential !== 'agent' &&
  ['caller', 'guess', 'mail', 'newcomer'].includes(isNone(budget) ? '' : budget);

const hasPermissions = ({ credential, permissions }: Endpoint): boolean => {
  if (credential !== 'person' && credential !== 'caller') return permissions === undefined;
  return isNone(permissions) || (permissions?.length ?? 0) > 0;
};

const lacksAutomation = (row: Endpoint): boolean =>
  row.credential === 'caller' && row.method !== 'GET' && getAutomationRule(row) === undefined;

/**
 * Returns what a row omits, or states and cannot satisfy; undefined if it is complete. Such a row would be open by mistake, so its plane
 * does not start.
 */
export const findRowFault = (row: Endpoint): string | undefined => {
  if (!Object.hasOwn(WIRES, row.wire)) return `has the wire ${row.wire}, which nothing here serves`;
  const unknown = listParameterNames(row.path).filter((name) => !isPathParameter(name));
  if (unknown.length > 0) return `has path parameters that PATH_PARAMETERS does not name: ${unknown.join(', ')}`;
  if (!hasBudget(row)) return 'says no budget of requests that is counted for its credential';
  if (needsSharedStore(row)) return 'stops something, and its budget is counted in a store that may be away';
  if (!hasPermissions(row)) return 'names no required permission and no reason for the absence';
  if (lacksAutomation(row)) return 'states no rule for API keys';
  if (row.credential === 'agent' && !['door', 'pipeline', 'connection'].includes(row.sessionCheckedBy))
    return 'does not say who checks the session';
  return undefined;
};
