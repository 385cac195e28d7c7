const PLACEHOLDER = '{base}';

/** The address to ask for a base currency. Throws when it is none. */
export const providerAddress = (url: string, baseCurrency: string): string => {
  if (url.includes(PLACEHOLDER)) return new URL(url.replaceAll(PLACEHOLDER, baseCurrency)).href;
  const address = new URL(url);
  address.searchParams.set('base', baseCurrency);
  return address.href;
};

/** What is wrong with the address of a provider, as the end of a sentence; undefined when nothing is. */
export const providerUrlFault = (url: string): string | undefined => {
  const example = 'such as https://rates.example/latest?base={base}.';
  if (!URL.canParse(url.replaceAll(PLACEHOLDER, 'EUR'))) return `is not a valid address ${example}`;
  const { protocol, username, password } = new URL(providerAddress(url, 'EUR'));
  if (protocol !== 'http:' && protocol !== 'https:') return `must be an http or https address ${example}`;
  return username === '' && password === '' ? undefined : 'must not contain a user name or password.';
};
