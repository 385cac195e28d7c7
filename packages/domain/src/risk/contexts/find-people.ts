const PEOPLE_MAX = 16;

export const readPointer = (parameters: unknown, pointer: string): unknown => {
  let at = parameters;
  for (const part of pointer.split('/').slice(1)) {
    if (typeof at !== 'object' || at === null) return undefined;
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : undefined;
  }
  return at;
};

/** Texts that pointers lead to, without case and outer spaces, of at most 16 people. A list at a pointer is one person each. */
export const findPeople = (
  parameters: unknown,
  pointers: readonly string[],
): { readonly people: readonly string[]; readonly isPartial: boolean } => {
  const people = new Set<string>();
  let isPartial = false;
  for (const pointer of pointers) {
    const found = readPointer(parameters, pointer);
    for (const one of Array.isArray(found) ? found : [found]) {
      if (typeof one !== 'string' && typeof one !== 'number') {
        if (one !== undefined) isPartial = true;
      } else for (const each of String(one).split(/[,;]/)) if (each.trim() !== '') people.add(each.trim().toLowerCase());
    }
  }
  const all = [...people];
  return { people: all.slice(0, PEOPLE_MAX), isPartial: isPartial || all.length > PEOPLE_MAX };
};

/** The host of an e-mail address; null for anything else. */
export const mailHost = (person: string): string | null => /^[^\s@<>]{1,64}@([^\s@<>]{1,253})$/.exec(person)?.[1] ?? null;
