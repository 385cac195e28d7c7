import { CURRENCIES } from '@svc/contract/tables/currencies.ts';
import { parseAllowlistEntry } from '../../tools/destinations/allowlist.ts';
import { parseStrictTime } from '../agents/strict-time.ts';
import type { DelegationBounds } from './delegation.ts';
import type { RequestedBounds } from './inherit-bounds.ts';

export type DelegationRequestFault = { readonly pointer: string; readonly message: string };

const destinationFaults = ({ scope }: RequestedBounds): DelegationRequestFault[] =>
  (scope?.destinations ?? []).flatMap((text, index) => {
    const entry = parseAllowlistEntry(text);
    return 'fault' in entry ? [{ pointer: `/scope/destinations/${index}`, message: `This entry ${entry.fault}.` }] : [];
  });

const ceilingFaults = ({ ceiling: asked }: RequestedBounds, { ceiling }: DelegationBounds): DelegationRequestFault[] => {
  const faults: DelegationRequestFault[] = [];
  if (asked?.currency != null && asked.max_amount == null)
    faults.push({ pointer: '/ceiling/max_amount', message: 'A currency requires an amount.' });
  else if (ceiling.max_amount !== null && ceiling.currency === null)
    faults.push({ pointer: '/ceiling/currency', message: 'An amount requires a currency.' });
  else if (ceiling.max_amount === null && ceiling.currency !== null)
    faults.push({ pointer: '/ceiling/currency', message: 'Must be null if the amount is null.' });
  if (asked?.currency != null && !CURRENCIES.has(asked.currency))
    faults.push({ pointer: '/ceiling/currency', message: 'Must be the ISO 4217 code of a currency in circulation.' });
  return faults;
};

const expiryFaults = ({ expires_at }: RequestedBounds, now: Date): DelegationRequestFault[] => {
  if (expires_at == null) return [];
  const at = parseStrictTime(expires_at);
  if (at === null) return [{ pointer: '/expires_at', message: 'Must be a UTC time such as 2026-01-31T09:30:00.000Z.' }];
  return at > now.getTime() ? [] : [{ pointer: '/expires_at', message: 'Must be in the future.' }];
};

/** Returns faults of a request itself, independent of what may be delegated. `bounds` is the result of the request. */
export const findRequestFaults = (asked: RequestedBounds, bounds: DelegationBounds, now: Date): readonly DelegationRequestFault[] => [
  ...destinationFaults(asked),
  ...ceilingFaults(asked, bounds),
  ...expiryFaults(asked, now),
];
