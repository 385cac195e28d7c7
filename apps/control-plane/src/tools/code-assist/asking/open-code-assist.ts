import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ModelAnswer } from '@svc/domain/tools/code-assist/providers/provider.ts';
import { PROVIDERS, type ProviderName } from '@svc/domain/tools/code-assist/providers/providers.ts';
import type { RewriteMessage } from '@svc/domain/tools/code-assist/rewrite-message.ts';
import { createEgress } from '@svc/egress/create-egress.ts';
import { writtenAddress } from '@svc/egress/names/written-address.ts';
import { createFairQueue, type Turns } from '../../../aside/in-turn.ts';

/** Settings of hosted code assist. */
export type CodeAssistSettings = {
  readonly protocol: ProviderName;
  readonly url: string;
  readonly key: string;
  readonly models: readonly string[];
  readonly timeoutMs: number;
  readonly perHour: number;
};

export type ModelCall = ModelAnswer | { readonly failed: string };

export type CodeAssist = Pick<CodeAssistSettings, 'models' | 'perHour'> & {
  readonly host: string;
  readonly inTurn: Turns;
  readonly ask: (organizationId: string, model: string, message: RewriteMessage, signal?: AbortSignal) => Promise<ModelCall>;
  readonly close: () => Promise<void>;
};

type Reached = {
  readonly egress: { readonly allowCidrs: readonly string[]; readonly nameServers: readonly string[] };
  readonly credentialsOverHttp: boolean;
};

const { responseBytesMax, tokensMax, atOnceMax } = LIMITS.codeAssist;

const parseAnswer = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** Opens the provider that the operator configured. Its calls go through the egress client: no redirect is followed. */
export const openCodeAssist = (
  { protocol, url, key, models, timeoutMs, perHour }: CodeAssistSettings,
  { egress: { allowCidrs, nameServers }, credentialsOverHttp }: Reached,
): CodeAssist => {
  const provider = PROVIDERS[protocol];
  const egress = createEgress({
    allowRealEgress: true,
    allowCidrs: [...allowCidrs, ...writtenAddress(url)],
    nameServers,
    timeoutMs,
    showsCredentials: credentialsOverHttp,
    responseMaxBytes: responseBytesMax,
    readsAtOnce: true,
  });
  return {
    models,
    perHour,
    host: new URL(url).host,
    inTurn: createFairQueue(atOnceMax),
    close: egress.close,
    ask: async (organizationId, model, message) => {
      const request = { ...message, model, tokensMax, key };
      const result = await egress.call({
        method: 'POST',
        url,
        headers: { accept: 'application/json', 'content-type': 'application/json', ...provider.headers(request) },
        body: JSON.stringify(provider.body(request)),
        tenant: organizationId,
        timeoutMs,
        isConfidential: true,
      });
      if (result.kind === 'timeout') return { failed: 'The provider did not respond in time.' };
      if (result.kind === 'failed' && result.tooLarge === true) return { fault: 'The answer of the provider is too long.' };
      if (result.kind !== 'answered') return { failed: 'The provider cannot be reached.' };
      if (result.status !== 200) return { failed: `The provider responded with status ${result.status}.` };
      return provider.read(parseAnswer(result.body));
    },
  };
};
