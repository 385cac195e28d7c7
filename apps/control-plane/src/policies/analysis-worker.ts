import type { VersionBody } from '@svc/contract/policy-language.ts';
import { analyseVersion } from '@svc/policy/analyse/analyse-version.ts';
import type { AnalysedTool } from '@svc/policy/analyse/analysed-tool.ts';

/** What an analysis is made of, in values that can be sent to another process. */
export type Analysed = {
  readonly body: VersionBody;
  readonly tools: readonly AnalysedTool[];
  /** Currencies that amounts cannot be compared from, each with one that it has no rate to. */
  readonly unrated: ReadonlyMap<string, string>;
};

export type Question = { readonly id: number; readonly asked: Analysed };
export type Reply = { readonly id: number; readonly found: ReturnType<typeof analyseVersion> };

process.on('message', (message) => {
  const { id, asked } = message as Question;
  const { body, tools, unrated } = asked;
  const found = analyseVersion(body, tools, (currency) => unrated.get(currency) ?? null);
  process.send?.({ id, found } satisfies Reply);
});
process.on('disconnect', () => process.exit(0));
