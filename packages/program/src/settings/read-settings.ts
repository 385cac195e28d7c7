export type Env = Readonly<Record<string, string | undefined>>;

/** Collects every fault, so that all of them are told at once. */
export type SettingsReader = {
  readonly faults: readonly string[];
  readonly integer: (name: string, otherwise: number, min: number, max: number) => number;
  readonly flag: (name: string, otherwise: boolean) => boolean;
  readonly text: (name: string, otherwise: string) => string;
  readonly word: (name: string, otherwise: string, words: readonly string[]) => string;
  readonly optional: (name: string) => string | undefined;
  readonly address: (name: string) => string | undefined;
  /** The public address of a plane: paths are put behind it. */
  readonly publicAddress: (name: string) => string | undefined;
  readonly list: (name: string) => readonly string[];
  readonly fault: (sentence: string) => void;
};

const isPublicAddress = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && !/[?#]/.test(text) && url.username === '' && url.password === '';
};

const NO_PUBLIC_ADDRESS =
  'must be an http or https address without a user, a query or a fragment, such as https://governance.example.com; leave it out for where the plane listens.';

const itemsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const TRUE = new Set(['true', '1', 'yes', 'on']);
const FALSE = new Set(['false', '0', 'no', 'off']);

export const readSettings = (env: Env): SettingsReader => {
  const faults: string[] = [];
  const given = (name: string): string | undefined => {
    const value = env[name]?.trim();
    return value === '' ? undefined : value;
  };
  return {
    faults,
    fault: (sentence) => void faults.push(sentence),
    integer: (name, otherwise, min, max) => {
      const value = given(name);
      if (value === undefined) return otherwise;
      const number = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN;
      if (number >= min && number <= max) return number;
      faults.push(`${name} is "${value}", but must be a whole number from ${min} to ${max}; leave it out for ${otherwise}.`);
      return otherwise;
    },
    flag: (name, otherwise) => {
      const value = given(name)?.toLowerCase();
      if (value === undefined) return otherwise;
      if (TRUE.has(value)) return true;
      if (!FALSE.has(value)) faults.push(`${name} is "${value}", but must be true or false; leave it out for ${otherwise}.`);
      return false;
    },
    text: (name, otherwise) => given(name) ?? otherwise,
    word: (name, otherwise, words) => {
      const value = given(name);
      if (value === undefined || words.includes(value)) return value ?? otherwise;
      faults.push(`${name} is "${value}", but must be one of ${words.join(', ')}; leave it out for ${otherwise}.`);
      return otherwise;
    },
    optional: given,
    address: (name) => {
      const value = given(name);
      if (value === undefined || URL.canParse(value)) return value?.replace(/\/$/, '');
      // An address may hold a password, so what was given is not repeated.
      faults.push(`${name} is not a URL; give one such as https://governance.example.com.`);
      return undefined;
    },
    publicAddress: (name) => {
      const value = given(name);
      if (value === undefined || isPublicAddress(value)) return value?.replace(/\/+$/, '');
      faults.push(`${name} ${NO_PUBLIC_ADDRESS}`);
      return undefined;
    },
    list: (name) => itemsOf(given(name) ?? ''),
  };
};
