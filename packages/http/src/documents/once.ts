/** Computes a value on the first call and caches it; later arguments are ignored. */
export const memoizeFirst = <Args extends readonly unknown[], Value>(make: (...args: Args) => Value): ((...args: Args) => Value) => {
  let made: { readonly value: Value } | undefined;
  return (...args) => {
    made ??= { value: make(...args) };
    return made.value;
  };
};
