import type { PolicyCondition } from '@svc/contract/policies/language.ts';
import { type Draw, pick } from './adversarial-questions.fixture.ts';

type Members = Record<string, unknown>;

const some = <T>(draw: Draw, least: number, most: number, make: () => T): T[] =>
  Array.from({ length: least + draw(most - least + 1) }, make);

/** A member, a member that may also be an index, each of them, and a missing member. */
const STEPS = ['a', 'k', '0', '*', '*', '*', 'none'];

/** Returns a field of the parameters by any form of path. */
export const drawPath = (draw: Draw): string =>
  draw(5) === 0 ? pick(draw, ['parameters.**', 'parameters.***']) : `parameters.${some(draw, 1, 3, () => pick(draw, STEPS)).join('.')}`;

/** Returns a condition that holds if a path leads to any value, null included. */
export const meetsAnything = (path: string): PolicyCondition => {
  const quantified = path.includes('*') ? { quantifier: 'any' as const } : {};
  return {
    any: [
      { field: path, op: 'exists', ...quantified },
      { field: path, op: 'not_exists', ...quantified },
    ],
  };
};

const LEAVES = [null, null, '', 'a', 'ab', 'b', 0, 1, -1, 0.5, true, false, '10.0.0.1', 'a'.repeat(9000)];
const KEYS = ['a', 'a', 'k', '0', 'z'];

const getJson = (draw: Draw, named: readonly unknown[], depth: number): unknown => {
  const kind = draw(depth > 3 ? 4 : 10);
  if (kind < 2) return pick(draw, [{}, []]);
  if (kind < 4) return pick(draw, named.length > 0 && draw(2) === 0 ? named : LEAVES);
  if (kind < 7) return getMembers(draw, named, depth + 1, 2);
  return some(draw, 0, 3, () => getJson(draw, named, depth + 1));
};

const getMembers = (draw: Draw, named: readonly unknown[], depth: number, most: number): Members =>
  Object.fromEntries(some(draw, 0, most, () => [pick(draw, KEYS), getJson(draw, named, depth)]));

/** Returns parameters that are often empty, nested and of mixed types; `named` are values that the conditions compare with. */
export const drawParameters = (draw: Draw, named: readonly unknown[]): Members => getMembers(draw, named, 0, draw(2) === 0 ? 1 : 3);
