/** ISO 4217 codes of circulating currencies, without funds, metals, test and reserve codes. */
export const CURRENCIES: ReadonlySet<string> = new Set(
  (
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE ' +
    'CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES ' +
    'KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR ' +
    'NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND ' +
    'TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG'
  ).split(' '),
);

/** Currencies whose minor unit is not a hundredth, with their decimal places (ISO 4217). */
const EXPONENTS: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
]);

/** Returns the decimal places of the minor unit: 2 for USD, 0 for JPY, 3 for KWD. Undefined for a code that is not in `CURRENCIES`. */
export const getCurrencyExponent = (code: string): number | undefined => (CURRENCIES.has(code) ? (EXPONENTS.get(code) ?? 2) : undefined);

/** Formats minor units of a currency for people, `12.50 EUR`; undefined if there is no amount. */
export const formatAmount = (amount: number | null, currency: string | null): string | undefined => {
  if (amount === null || currency === null) return undefined;
  const places = getCurrencyExponent(currency) ?? 0;
  const digits = String(amount).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${places === 0 ? whole : `${whole}.${digits.slice(-places)}`} ${currency}`;
};
