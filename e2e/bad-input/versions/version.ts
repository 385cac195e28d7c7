/** A version with one fault: its name, the body, the pointer to the member, and words of the sentence that states what would be valid. */
export type Malformed = { readonly what: string; readonly body: object; readonly pointer: string; readonly says: RegExp };

/** The language as the service describes it for editors; the table below contains everything that does not fit it. */
export type BuilderSchema = {
  readonly fields: readonly {
    readonly name: string;
    readonly type: string;
    readonly operators: readonly string[];
    readonly example: unknown;
  }[];
  readonly operators: readonly { readonly name: string; readonly value: string; readonly fits: readonly string[] }[];
};

export type Cells = readonly (readonly [what: string, value: unknown])[];

export const times = <Value>(n: number, make: (index: number) => Value): Value[] => Array.from({ length: n }, (_, index) => make(index));

export const RULE = { id: 'a', effect: 'BLOCK', reason: 'Because.' };
export const CONDITION = { field: 'amount', op: 'gt', value: 1 };
/** Built from entries, so that no object literal looks like a promise. */
export const getCase = (expected: unknown, more: object = {}): object =>
  Object.fromEntries([['name', 'x'], ['given', {}], ['then', expected], ...Object.entries(more)]);
export const CASE = getCase({ effect: 'BLOCK' });

export const withOperator = (rule: object): object => ({ rules: [{ ...RULE, ...rule }] });
export const withCondition = (condition: unknown): object => withOperator({ when: condition });
export const withTests = (one: unknown): object => ({ rules: [RULE], tests: [one] });
