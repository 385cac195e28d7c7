import type { VersionFindings } from '@svc/contract/policies/versions.ts';
import { CURRENCIES } from '@svc/contract/tables/currencies.ts';
import { runInSlices } from '@svc/operations/policies/trials/run-in-slices.ts';
import { listInertRules } from '@svc/operations/policies/versions/inert-rules.ts';
import { listUnratedCurrencies, type Surroundings } from '@svc/operations/policies/versions/read-surroundings.ts';
import { rulesThatAreOver } from '@svc/policy/analyse/rules-that-are-over.ts';
import type { CompiledVersion } from '@svc/policy/judge/compile-version.ts';
import { listUnreachedRules } from '@svc/policy/trial/coverage.ts';
import { analyseInWorkerProcess } from '../../analysis/analyse-aside.ts';

const INERT_MAX = 100;

const OUT_OF_TIME = 'The analysis was ended when its time was up; there may be more to find.';
const TOO_MANY_TOOLS = 'There are too many tools to look at; nothing is said about what their requests can leave out.';

/** Returns each currency whose amounts cannot be compared, with one that it has no rate to. */
const unratedCurrencies = (version: CompiledVersion, surroundings: Surroundings, now: Date): ReadonlyMap<string, string> => {
  const intoOf = listUnratedCurrencies(surroundings, version.source.currency, now);
  return new Map(
    [...CURRENCIES.keys()].flatMap((currency) => {
      const into = intoOf(currency);
      return into === null ? [] : [[currency, into] as const];
    }),
  );
};

/** Returns the warnings of a saved version: likely mistakes, and rules that no test reaches. */
export const listVersionFindings = async (version: CompiledVersion, surroundings: Surroundings, now: Date): Promise<VersionFindings> => {
  const { tools, more } = surroundings.tools;
  const found = await analyseInWorkerProcess(surroundings.organization_id, {
    body: version.source.body,
    // A partial list of tools proves nothing: that none of them matches a rule says nothing about the others.
    tools: more ? [] : tools,
    unrated: unratedCurrencies(version, surroundings, now),
    change: surroundings.change,
  });
  const ran = await runInSlices(version, version.source.body.tests);
  const undecided = found?.undecided ?? null;
  const notes = [...(found?.complete ? [] : [OUT_OF_TIME]), ...(more ? [TOO_MANY_TOOLS] : []), ...(undecided === null ? [] : [undecided])];
  return {
    warnings: [
      ...listInertRules(version.source.body, surroundings.reach).slice(0, INERT_MAX),
      ...rulesThatAreOver(version.source.body, now),
      ...(found?.warnings ?? []),
    ],
    analysis: { complete: notes.length === 0, note: notes.length === 0 ? null : notes.join(' ') },
    untested_rules: listUnreachedRules(
      version,
      ran.map(({ decision }) => decision),
    ),
  };
};
