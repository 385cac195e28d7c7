/** The work budget of a judgement; `spend` throws BudgetSpent beyond it. A unit is about the cost of one small subschema. */
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
