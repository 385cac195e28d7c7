import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BudgetSpent, newWorkBudget } from './work-budget.ts';

test('admits exactly its units and again once refilled', () => {
  const budget = newWorkBudget(10);
  budget.spend(4);
  budget.spend(6);
  assert.throws(() => budget.spend(1), BudgetSpent);
  budget.refill();
  budget.spend(10);
  assert.throws(() => budget.spend(0.5), BudgetSpent);
});
