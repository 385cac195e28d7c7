import { flushCompileCache } from 'node:module';
import type { VersionBody } from '@svc/contract/policies/language.ts';
import { analyseVersion } from '@svc/policy/analyse/analyse-version.ts';
import type { AnalysedTool } from '@svc/policy/analyse/analysed-tool.ts';
import { type Around, grantWarnings } from '@svc/policy/analyse/grants.ts';
import { otherElement } from '@svc/policy/analyse/loose/other-element.ts';

/** What an analysis is made of, in values that can be sent to another process. */
export type Analysed = {
  readonly body: VersionBody;
  readonly tools: readonly AnalysedTool[];
  /** Currencies that amounts cannot be compared from, each with one that it has no rate to. */
  readonly unrated: ReadonlyMap<string, string>;
  /** Left out or null where there is too much around it to look at. */
  readonly around?: Around | null;
};

const MORE_MAX = 100;

export type Question = { readonly id: number; readonly asked: Analysed };
export type Reply = { readonly id: number; readonly found: ReturnType<typeof analyseVersion> };

process.on('message', (message) => {
  const { id, asked } = message as Question;
  const { body, tools, unrated, around = null } = asked;
  const { warnings, complete } = analyseVersion(body, tools, (currency) => unrated.get(currency) ?? null);
  const more = [...otherElement(body), ...(around === null ? [] : grantWarnings(body, around))];
  process.send?.({ id, found: { warnings: [...warnings, ...more.slice(0, MORE_MAX)], complete } } satisfies Reply);
});
process.on('disconnect', () => process.exit(0));
// It may be ended from outside, after which nothing that was compiled would be kept for the next process.
flushCompileCache();
