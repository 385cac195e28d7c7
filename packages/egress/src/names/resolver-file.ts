/** Which names are asked for when a short one is meant, as resolver(5) has it. */
export type SearchRules = {
  readonly domains: readonly string[];
  /** A name with at least so many dots is tried as it is first. */
  readonly dots: number;
};

const DOMAINS_MAX = 6;

/** What a resolver file says of searching; the last `search` or `domain` line stands. */
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

/** The names to ask for, one after the other, until one of them has an address. */
export const namesToTry = (name: string, { domains, dots }: SearchRules): string[] => {
  const searched = domains.map((domain) => `${name}.${domain}`);
  return name.split('.').length - 1 >= dots ? [name, ...searched] : [...searched, name];
};
