import type { CredentialSlot } from './slot.ts';

const isNamed = (part: string, name: string): boolean => new URLSearchParams(part).has(name);

/** A parameter of the query. The other parameters stay as the tool wrote them. */
export const query: CredentialSlot = {
  needsBody: false,
  describe: (name) => `query ${name}`,
  nameFault: () => undefined,
  keyOf: (name) => name,
  place: (request, name, text) => {
    const url = new URL(request.url);
    const others = url.search.slice(1).split('&');
    const parts = others.filter((part) => part !== '' && !isNamed(part, name));
    url.search = [...parts, `${encodeURIComponent(name)}=${encodeURIComponent(text)}`].join('&');
    return { ...request, url };
  },
};
