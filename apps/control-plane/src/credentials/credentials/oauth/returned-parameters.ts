/** Returns every parameter of a return as received, including duplicates. */
export const getReturnedParameters = (query: Readonly<Record<string, unknown>>): URLSearchParams => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const each of Array.isArray(value) ? value : [value]) if (typeof each === 'string') parameters.append(name, each);
  return parameters;
};
