import type { PolicyCondition, PolicyRule } from '@svc/contract/policy-language.ts';
import { below } from './faults.ts';
import { isCatchAll } from './is-catch-all.ts';
import { compileAll } from './tree/all.ts';
import { always } from './tree/always.ts';
import { compileAny } from './tree/any.ts';
import { compileCondition } from './tree/condition.ts';
import type { Node } from './tree/node.ts';
import { compileNot } from './tree/not.ts';

const compileNested = (condition: PolicyCondition, path: string): Node => {
  const compileList = (parts: readonly PolicyCondition[], group: string): Node[] =>
    parts.map((part, index) => compileNested(part, below(below(path, group), index)));
  if ('all' in condition) return compileAll(compileList(condition.all, 'all'));
  if ('any' in condition) return compileAny(compileList(condition.any, 'any'));
  if ('not' in condition) return compileNot(compileNested(condition.not, below(path, 'not')));
  return compileCondition(condition, path);
};

/** Compiles a rule's `when` to one closure. Throws on a body that was never validated. */
export const compileWhen = (when: PolicyRule['when']): Node => (isCatchAll(when) ? always : compileNested(when as PolicyCondition, ''));
