import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type ProviderAnswer, readProviderAnswer } from '@svc/domain/money/fx-rates/read-provider-answer.ts';
import { createEgress, type EgressSettings } from '@svc/egress/create-egress.ts';
import { writtenAddress } from '@svc/egress/names/written-address.ts';
import type { EgressResult } from '@svc/egress/requests/egress-request.ts';
import { formatUserMessage } from '@svc/egress/requests/explain-to-people.ts';
import { providerAddress } from '@svc/program/settings/provider-address.ts';

export type RateProviderSettings = {
  /** `{base}` stands for the base currency; without it the query names the base currency. */
  readonly url: string;
  readonly allowCidrs: readonly string[];
  readonly timeoutMs: number;
  readonly nameServers?: readonly string[];
  /** Resolves names; defaults to the system's resolver. */
  readonly lookup?: EgressSettings['lookup'];
};

/** Source of automatic exchange rates. */
export type RateProvider = {
  /** Fetches the rates of one base currency. Concurrent calls for the same currency share a request. Never throws because of the peer. */
  readonly fetchRates: (baseCurrency: string) => Promise<ProviderAnswer>;
  readonly close: () => Promise<void>;
};

/** Tenant key of its egress. */
const RATES = 'exchange rates';

/** Returns why a call failed, without the peer's content or address. */
const describeFailure = (result: EgressResult): string | undefined => {
  if (result.kind === 'timeout') return 'The provider did not respond in time.';
  if (result.kind === 'unreachable' || result.kind === 'refused') return formatUserMessage(result);
  if (!('status' in result) || result.kind === 'failed') return result.reason;
  return result.status === 200 ? undefined : `The provider responded with status ${result.status}.`;
};

/** Opens the provider that the operator configured. Its calls go through the egress client, and send only the rate request. */
export const newRateProvider = ({ url, allowCidrs, timeoutMs, nameServers = [], lookup }: RateProviderSettings): RateProvider => {
  const egress = createEgress({
    allowRealEgress: true,
    allowCidrs: [...allowCidrs, ...writtenAddress(providerAddress(url, 'EUR'))],
    timeoutMs,
    nameServers,
    ...(lookup ? { lookup } : {}),
    responseMaxBytes: LIMITS.exchangeRates.responseBytesMax,
    readsAtOnce: true,
  });
  const underway = new Map<string, Promise<ProviderAnswer>>();
  const ask = async (baseCurrency: string): Promise<ProviderAnswer> => {
    const request = { method: 'GET', url: providerAddress(url, baseCurrency), headers: { accept: 'application/json' }, tenant: RATES };
    const result = await egress.call(request);
    const failure = describeFailure(result);
    if (failure !== undefined) return { fault: failure };
    return result.kind === 'answered' ? readProviderAnswer(result.body, baseCurrency) : { fault: 'The provider did not answer.' };
  };
  return {
    fetchRates: (baseCurrency) => {
      const running = underway.get(baseCurrency);
      if (running !== undefined) return running;
      const begun = ask(baseCurrency).finally(() => underway.delete(baseCurrency));
      underway.set(baseCurrency, begun);
      return begun;
    },
    close: egress.close,
  };
};
