import type { FieldCondition, PolicyCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import type { Node } from '../evaluation/node.ts';
import { WORK } from '../evaluation/prices.ts';
import { findField, withinElement } from '../language/find-field.ts';
import { isCatchAll } from '../language/is-catch-all.ts';
import { below } from '../values/faults.ts';
import { compileAll } from './all.ts';
import { always } from './always.ts';
import { compileAny } from './any.ts';
import { compileAnyElement } from './any-element.ts';
import { compileCondition, compileReady } from './condition.ts';
import { compileUntraced } from './judge-value.ts';
import { compileNot } from './not.ts';
import { makeReady, type ReadyCondition } from './ready-condition.ts';

type Leaf = (condition: FieldCondition, path: string) => Node;

const compileElement = ({ of, meets }: { of: string; meets: PolicyCondition }, path: string): Node => {
  const list = findField(of);
  if ('fault' in list) throw new Error(`A stored condition names an unknown list at ${path}`);
  const made = new Map<string, ReadyCondition>();
  // Both variants share one prepared condition, and so one compiled pattern.
  const ready = (condition: FieldCondition, at: string): ReadyCondition => {
    const known = made.get(at);
    if (known !== undefined) return known;
    const found = makeReady(condition, at);
    const field = withinElement(found.field, list);
    const within = { ...found, field, perElement: found.perElement + field.segments.length * WORK.step };
    made.set(at, within);
    return within;
  };
  const at = below(below(path, 'any_element'), 'meets');
  return compileAnyElement(list, {
    judge: compileNested(meets, at, (condition, place) => compileUntraced(ready(condition, place))),
    trace: compileNested(meets, at, (condition, place) => compileReady(ready(condition, place))),
  });
};

const compileNested = (condition: PolicyCondition, path: string, leaf: Leaf): Node => {
  const compileList = (parts: readonly PolicyCondition[], group: string): Node[] =>
    parts.map((part, index) => compileNested(part, below(below(path, group), index), leaf));
  if ('all' in condition) return compileAll(compileList(condition.all, 'all'));
  if ('any' in condition) return compileAny(compileList(condition.any, 'any'));
  if ('not' in condition) return compileNot(compileNested(condition.not, below(path, 'not'), leaf));
  if ('any_element' in condition) return compileElement(condition.any_element, path);
  return leaf(condition, path);
};

/** Compiles a rule's `when` to one closure. Throws on a body that was never validated. */
export const compileWhen = (when: PolicyRule['when']): Node =>
  isCatchAll(when) ? always : compileNested(when as PolicyCondition, '', compileCondition);
