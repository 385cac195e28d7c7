import { convertMinor } from '../../money/fx-rates/convert.ts';
import { isAllowed } from '../../tools/destinations/allowlist.ts';
import type { Destination } from '../../tools/destinations/parse-destination.ts';
import type { RatesAtTime } from './ceiling-within.ts';
import type { ReadyChain, ReadyLink } from './ready-chain.ts';

/** The requirements of one request, by the tool's declaration. */
export type WantedAuthority = {
  readonly capability: string;
  readonly tool: { readonly id: string; readonly name: string };
  readonly environment_id: string;
  /** Null when the tool reaches nothing. */
  readonly destination: Destination | null;
  /** Minor units of `currency`; null when the request moves no money. */
  readonly amount: number | null;
  readonly currency: string | null;
};

/** The link that does not cover a request, and in what. */
export type RequestFault = {
  readonly code: 'AUTHORITY_EXCEEDED' | 'UNPROCESSABLE';
  readonly delegation_id: string;
  readonly field: string;
  readonly allowed: unknown;
  readonly asked: unknown;
  readonly reason: string;
};

type Found = Omit<RequestFault, 'delegation_id' | 'code'> & { readonly code?: RequestFault['code'] };

const scopeFault = ({ link, capabilities, tools, environments, destinations }: ReadyLink, wanted: WantedAuthority): Found | undefined => {
  const { scope } = link;
  const { capability, tool, environment_id, destination } = wanted;
  const outside = (field: keyof typeof scope, asked: string, reason: string): Found => ({
    field: `scope.${field}`,
    allowed: scope[field],
    asked,
    reason,
  });
  if (capabilities && !capabilities.has(capability)) return outside('capabilities', capability, `does not cover ${capability}`);
  if (tools && !tools.has(tool.name) && !tools.has(tool.id)) return outside('tools', tool.name, `does not cover the tool ${tool.name}`);
  if (environments && !environments.has(environment_id)) return outside('environments', environment_id, 'does not cover this environment');
  if (destinations && destination && !isAllowed(destinations, destination)) {
    return outside('destinations', `${destination.host}:${destination.port}`, `does not cover ${destination.host}`);
  }
  return undefined;
};

const heldFault = ({ held, link }: ReadyLink, { capability }: WantedAuthority): Found | undefined =>
  held === null || held.has(capability)
    ? undefined
    : {
        field: 'delegate.capabilities',
        allowed: link.delegate.capabilities,
        asked: capability,
        reason: `was passed on by an agent that does not have the capability ${capability}`,
      };

const amountFault = ({ link }: ReadyLink, { amount, currency }: WantedAuthority, { rates, now }: RatesAtTime): Found | undefined => {
  const { max_amount, currency: own } = link.ceiling;
  if (max_amount === null || own === null || amount === null || currency === null) return undefined;
  const converted = convertMinor(amount, currency, own, rates, now);
  const fault = { field: 'ceiling.max_amount', allowed: { max_amount, currency: own }, asked: { amount, currency } };
  if ('missing' in converted) {
    return {
      ...fault,
      code: 'UNPROCESSABLE',
      reason: `has a limit in ${own}, and there is no exchange rate from ${currency}; set one with POST /v1/fx-rates`,
    };
  }
  return 'ok' in converted && converted.ok <= max_amount ? undefined : { ...fault, reason: 'does not cover an amount this large' };
};

/**
 * Returns the first link, from the root down, that does not cover the request; undefined if each does. Counted ceilings are not checked
 * here.
 */
export const findUncoveredLink = ({ links }: ReadyChain, wanted: WantedAuthority, exchange: RatesAtTime): RequestFault | undefined => {
  for (const ready of links) {
    const found = scopeFault(ready, wanted) ?? heldFault(ready, wanted) ?? amountFault(ready, wanted, exchange);
    if (found) {
      const { code = 'AUTHORITY_EXCEEDED', ...rest } = found;
      return { ...rest, code, delegation_id: ready.link.id, reason: `The delegation ${rest.reason}.` };
    }
  }
  return undefined;
};
