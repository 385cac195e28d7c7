import { flushCompileCache } from 'node:module';
import type { VersionBody } from '@svc/contract/policies/language.ts';
import { analyseVersion } from '@svc/policy/analyse/analyse-version.ts';
import type { AnalysedTool } from '@svc/policy/analyse/analysed-tool.ts';
import { otherElement } from '@svc/policy/analyse/loose/other-element.ts';
import { findOpenings, type PolicyChange } from '@svc/policy/openings/openings.ts';

/** Input of an analysis, in values that can be sent to another process. */
export type Analysed = {
  readonly body: VersionBody;
  readonly tools: readonly AnalysedTool[];
  /** Currencies whose amounts cannot be compared, each with one that it has no rate to. */
  readonly unrated: ReadonlyMap<string, string>;
  /** The policies in force before and after activation; omitted if they are not compared. */
  readonly change?: PolicyChange;
};

const MORE_MAX = 100;

/** The warnings of an analysis; `undecided` states which part of the change could not be decided. */
export type Analysis = ReturnType<typeof analyseVersion> & { readonly undecided: string | null };

export type AnalysisTask = { readonly id: number; readonly asked: Analysed };
export type AnalysisReply = { readonly id: number; readonly found: Analysis };

process.on('message', (message) => {
  const { id, asked } = message as AnalysisTask;
  const { body, tools, unrated, change } = asked;
  const { warnings, complete } = analyseVersion(body, tools, (currency) => unrated.get(currency) ?? null);
  const { warnings: openings, undecided } = change === undefined ? { warnings: [], undecided: null } : findOpenings(change);
  const more = [...otherElement(body), ...openings];
  const isWhole = complete && more.length <= MORE_MAX;
  process.send?.({
    id,
    found: { warnings: [...warnings, ...more.slice(0, MORE_MAX)], complete: isWhole, undecided },
  } satisfies AnalysisReply);
});
process.on('disconnect', () => process.exit(0));
// The process may be killed, after which the compile cache would not be written for the next one.
flushCompileCache();
