import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { compileSet, compileUnbound, type PolicySet } from '../judge/compile-set.ts';
import { type CompiledVersion, compileVersion, type PolicySource } from '../judge/compile-version.ts';
import { diffVersions } from '../trial/diff-versions.ts';

/** The differences of two versions of one policy: equal rules cannot make a difference, known or not. */
export type ChangedRules = {
  /** Rules of the older version that are missing or changed in the newer one. */
  readonly removed: PolicySet;
  /** Rules of the newer version that are missing or different in the older one. */
  readonly added: PolicySet;
  /** The rules that are the same in both, bound like the policy. */
  readonly kept: readonly CompiledVersion[];
};

type Binding = PolicySource['binding'];

const only = (source: PolicySource, isIn: (rule: PolicyRule) => boolean, binding: Binding): CompiledVersion =>
  compileVersion({ ...source, binding, body: { rules: source.body.rules.filter(isIn), tests: [] } });

/** Returns the differences between two versions with the same bindings. */
export const changedRules = (from: PolicySource, to: PolicySource, bindings: readonly Binding[]): ChangedRules => {
  const { added, removed, changed } = diffVersions(from.body, to.body).rules;
  const changedIds = changed.map(({ id }) => id);
  // The same number in another currency is another rule.
  const isRewritten = from.currency !== to.currency;
  const all = (source: PolicySource): string[] => (isRewritten ? source.body.rules.map(({ id }) => id) : []);
  const gone = new Set([...removed.map(({ id }) => id), ...changedIds, ...all(from)]);
  const come = new Set([...added.map(({ id }) => id), ...changedIds, ...all(to)]);
  return {
    removed: compileUnbound(only(from, ({ id }) => gone.has(id), from.binding)),
    added: compileUnbound(only(to, ({ id }) => come.has(id), to.binding)),
    kept: bindings.map((binding) => only(to, ({ id }) => !come.has(id), binding)),
  };
};

/** Returns everything that judges alike before and after the change, for the requests of one environment. */
export const unchangedSet = (
  others: readonly CompiledVersion[],
  { kept }: ChangedRules,
  applies: (binding: Binding) => boolean,
): PolicySet => compileSet([...others, ...kept].filter(({ source }) => applies(source.binding)));
