/** Search domains of short names, as in resolver(5). */
export type SearchRules = {
  readonly domains: readonly string[];
  /** A name with at least so many dots is first tried unchanged. */
  readonly dots: number;
};

const DOMAINS_MAX = 6;

/** Parses the search rules of a resolver file; the last `search` or `domain` line wins. */
export const parseSearchRules = (text: string): SearchRules => {
  let domains: readonly string[] = [];
  let dots = 1;
  for (const line of text.split('\n')) {
    const [word, ...rest] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/);
    if (word === 'search' || word === 'domain') domains = rest.slice(0, DOMAINS_MAX).map((domain) => domain.replace(/^\.|\.$/g, ''));
    const ndots = word === 'options' ? rest.findLast((option) => /^ndots:\d{1,2}$/.test(option)) : undefined;
    if (ndots !== undefined) dots = Number(ndots.slice('ndots:'.length));
  }
  return { domains: domains.filter((domain) => domain !== ''), dots };
};

/** Returns the names to query, in order, until one of them has an address. */
export const namesToTry = (name: string, { domains, dots }: SearchRules): string[] => {
  const searched = domains.map((domain) => `${name}.${domain}`);
  return name.split('.').length - 1 >= dots ? [name, ...searched] : [...searched, name];
};
