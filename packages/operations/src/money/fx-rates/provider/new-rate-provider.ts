import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type ProviderAnswer, readProviderAnswer } from '@svc/domain/money/fx-rates/read-provider-answer.ts';
import { createEgress, type EgressSettings } from '@svc/egress/create-egress.ts';
import { writtenAddress } from '@svc/egress/names/written-address.ts';
import type { EgressResult } from '@svc/egress/requests/egress-request.ts';
import { providerAddress } from '@svc/program/settings/provider-address.ts';

export type RateProviderSettings = {
  /** `{base}` in it stands for the base currency; without it the query names the base currency. */
  readonly url: string;
  readonly allowCidrs: readonly string[];
  readonly timeoutMs: number;
  readonly nameServers?: readonly string[];
  /** How names are resolved; the system's way when absent. */
  readonly lookup?: EgressSettings['lookup'];
};

/** Where automatic exchange rates come from. */
export type RateProvider = {
  /** Asked for one base currency at a time; whoever asks for the same meanwhile gets the same answer. Never throws for what the peer does. */
  readonly fetchRates: (baseCurrency: string) => Promise<ProviderAnswer>;
  readonly close: () => Promise<void>;
};

/** Whose share of the way out it uses. */
const RATES = 'exchange rates';

/** What went wrong, in words that hold nothing of the peer's and nothing of the address. */
const failureOf = (result: EgressResult): string | undefined => {
  if (result.kind === 'timeout') return 'The provider did not answer in time.';
  if (result.kind === 'unreachable') return result.detail;
  if (!('status' in result) || result.kind === 'failed') return result.reason;
  return result.status === 200 ? undefined : `The provider answered with status ${result.status}.`;
};

/** Asks the provider that the operator named through the guarded way out. Nothing but the rate request is sent. */
export const newRateProvider = ({ url, allowCidrs, timeoutMs, nameServers = [], lookup }: RateProviderSettings): RateProvider => {
  const egress = createEgress({
    allowRealEgress: true,
    allowCidrs: [...allowCidrs, ...writtenAddress(providerAddress(url, 'EUR'))],
    timeoutMs,
    nameServers,
    ...(lookup ? { lookup } : {}),
    responseMaxBytes: LIMITS.exchangeRates.answerBytesMax,
    readsAtOnce: true,
  });
  const underway = new Map<string, Promise<ProviderAnswer>>();
  const ask = async (baseCurrency: string): Promise<ProviderAnswer> => {
    const request = { method: 'GET', url: providerAddress(url, baseCurrency), headers: { accept: 'application/json' }, tenant: RATES };
    const result = await egress.call(request);
    const failure = failureOf(result);
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
