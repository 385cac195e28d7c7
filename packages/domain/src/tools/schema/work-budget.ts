/** How much work a judgement may take; `spend` throws BudgetSpent beyond it. A unit is about what one small subschema costs. */
export type WorkBudget = { readonly refill: () => void; readonly spend: (units: number) => void };

/** Thrown through generated code, which has no other way to stop in the middle. */
export class BudgetSpent extends Error {}

export const newWorkBudget = (units: number): WorkBudget => {
  let left = units;
  return {
    refill: () => {
      left = units;
    },
    spend: (used) => {
      left -= used;
      if (left < 0) throw new BudgetSpent();
    },
  };
};
