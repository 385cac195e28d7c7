/** Every parameter of a return as it came, also one that stands twice. */
export const returnedParameters = (query: Readonly<Record<string, unknown>>): URLSearchParams => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const each of Array.isArray(value) ? value : [value]) if (typeof each === 'string') parameters.append(name, each);
  return parameters;
};
