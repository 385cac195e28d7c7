import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newSolver } from './satisfy.ts';

const VARIABLES = 8;
const literal = fc.integer({ min: 0, max: 2 * VARIABLES - 1 });
const clauses = fc.array(fc.array(literal, { minLength: 1, maxLength: 4 }), { maxLength: 45 });
const holdsIn = (assignment: number, one: number): boolean => ((assignment >> (one >> 1)) & 1) === ((one & 1) === 0 ? 1 : 0);
const isFulfilled = (list: readonly (readonly number[])[], holds: (one: number) => boolean): boolean =>
  list.every((clause) => clause.some(holds));

test('returns a satisfying assignment exactly when one exists', () => {
  let some = 0;
  let none = 0;
  fc.assert(
    fc.property(clauses, clauses, (list, more) => {
      const solver = newSolver(VARIABLES);
      const given: number[][] = [];
      // Solved again after clauses were added: learned clauses must not exclude a solution.
      for (const part of [list, more]) {
        for (const clause of part) solver.add(clause);
        given.push(...part);
        const possible = Array.from({ length: 2 ** VARIABLES }, (_, assignment) => assignment).some((assignment) =>
          isFulfilled(given, (one) => holdsIn(assignment, one)),
        );
        // Assumptions hold for one call only.
        const assumed = part.slice(0, 2).flatMap(([literal]) => (literal === undefined ? [] : [literal]));
        const withAssumed = [...given, ...assumed.map((literal) => [literal])];
        const isAllowed = Array.from({ length: 2 ** VARIABLES }, (_, assignment) => assignment).some((assignment) =>
          isFulfilled(withAssumed, (one) => holdsIn(assignment, one)),
        );
        assert.equal(solver.solve({ left: 1e6 }, assumed) !== 'none', isAllowed);
        const answer = solver.solve({ left: 1e6 });
        assert.notEqual(answer, 'unknown');
        assert.equal(answer !== 'none', possible);
        if (typeof answer === 'object') assert.ok(isFulfilled(given, answer.holds));
        if (possible) some += 1;
        else none += 1;
      }
    }),
    { numRuns: 3000, seed: 7 },
  );
  assert.ok(some > 300 && none > 300, `both happen: ${some} and ${none}`);
});

test('proves the pigeonhole formula unsatisfiable, and reports giving up', () => {
  const pigeons = 7;
  const holes = 6;
  const at = (pigeon: number, hole: number): number => 2 * (pigeon * holes + hole);
  const build = () => {
    const solver = newSolver(pigeons * holes);
    for (let pigeon = 0; pigeon < pigeons; pigeon++) solver.add(Array.from({ length: holes }, (_, hole) => at(pigeon, hole)));
    for (let hole = 0; hole < holes; hole++)
      for (let one = 0; one < pigeons; one++) for (let two = 0; two < one; two++) solver.add([at(one, hole) + 1, at(two, hole) + 1]);
    return solver;
  };
  assert.equal(build().solve({ left: 1e8 }), 'none');
  assert.equal(build().solve({ left: 500 }), 'unknown');
});
