/** Works a value out when it is first asked for, and answers it from then on; an argument is that of the first time. */
export const once = <Args extends readonly unknown[], Value>(make: (...args: Args) => Value): ((...args: Args) => Value) => {
  let made: { readonly value: Value } | undefined;
  return (...args) => {
    made ??= { value: make(...args) };
    return made.value;
  };
};
