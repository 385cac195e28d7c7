import type { VersionFindings } from '@svc/contract/policies.ts';
import { analyseVersion } from '@svc/policy/analyse/analyse-version.ts';
import type { CompiledVersion } from '@svc/policy/compile-version.ts';
import { coverage } from '@svc/policy/coverage.ts';
import type { ToolsInReach } from '@svc/postgres/tools-in-reach.ts';

const OUT_OF_TIME = 'The analysis was ended when its time was up; there may be more to find.';
const TOO_MANY_TOOLS = 'There are too many tools to look at; nothing is said about what their requests can leave out.';

/** What there is to tell about a version that is saved: what is likely not meant, and which rules no test reaches. */
export const versionFindings = (version: CompiledVersion, { tools, more }: ToolsInReach): VersionFindings => {
  // Of a part of the tools nothing follows: that none of them fits a rule says nothing about the others.
  const { warnings, complete } = analyseVersion(version.source.body, more ? [] : tools);
  const notes = [...(complete ? [] : [OUT_OF_TIME]), ...(more ? [TOO_MANY_TOOLS] : [])];
  return {
    warnings,
    analysis: { complete: notes.length === 0, note: notes.length === 0 ? null : notes.join(' ') },
    untested_rules: coverage(version),
  };
};
