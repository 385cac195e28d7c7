/** An argument that an approver may lower, or whose items they may remove. */
export type NarrowField =
  | { readonly pointer: string; readonly kind: 'number'; readonly value: number; readonly isAmount: boolean }
  | { readonly pointer: string; readonly kind: 'items'; readonly value: readonly unknown[] };

type Json = Readonly<Record<string, unknown>>;
type Terms = { readonly narrowable: readonly string[]; readonly amount_from: string | null };

const listSteps = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

const valueAt = (parameters: Json, pointer: string): unknown =>
  listSteps(pointer).reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? (at as Json)[step] : undefined),
    parameters,
  );

/** The arguments that the tool lets approvers narrow and that a form can show. */
export const narrowFields = (parameters: Json, { narrowable, amount_from }: Terms): readonly NarrowField[] => {
  const pointers = [...new Set([...(amount_from === null ? [] : [amount_from]), ...narrowable])];
  return pointers.flatMap((pointer): readonly NarrowField[] => {
    const value = valueAt(parameters, pointer);
    if (typeof value === 'number') return [{ pointer, kind: 'number', value, isAmount: pointer === amount_from }];
    return Array.isArray(value) && value.length > 0 ? [{ pointer, kind: 'items', value }] : [];
  });
};

/** The parameters with the value at a pointer replaced. */
export const getReplace = (parameters: Json, pointer: string, value: unknown): Json => {
  const [step, ...rest] = listSteps(pointer);
  if (step === undefined) return parameters;
  const below = parameters[step];
  const replaced =
    rest.length === 0
      ? value
      : getReplace((below ?? {}) as Json, `/${rest.map((each) => each.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`, value);
  return { ...parameters, [step]: replaced };
};
