const PLACEHOLDER = '{base}';

/** Returns the address of the exchange-rate request for a base currency. Throws if it is invalid. */
export const providerAddress = (url: string, baseCurrency: string): string => {
  if (url.includes(PLACEHOLDER)) return new URL(url.replaceAll(PLACEHOLDER, baseCurrency)).href;
  const address = new URL(url);
  address.searchParams.set('base', baseCurrency);
  return address.href;
};

/** Returns the fault of a provider's address, as the end of a sentence; undefined if it is valid. */
export const findProviderUrlFault = (url: string): string | undefined => {
  const example = 'such as https://rates.example/latest?base={base}.';
  if (!URL.canParse(url.replaceAll(PLACEHOLDER, 'EUR'))) return `is not a valid address ${example}`;
  const { protocol, username, password } = new URL(providerAddress(url, 'EUR'));
  if (protocol !== 'http:' && protocol !== 'https:') return `must be an http or https address ${example}`;
  return username === '' && password === '' ? undefined : 'must not contain a user name or password.';
};
