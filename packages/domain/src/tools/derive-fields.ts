import { type Destination, parseDestination } from '../destinations/parse-destination.ts';
import type { Fault, Faults } from './fault.ts';
import { parsePointer, readPointer } from './json-pointer.ts';

/** Where a tool says that its parameters hold the fields policies decide on: JSON Pointers into the parameters. */
export type FieldSources = {
  readonly amount_from?: string | null;
  readonly currency_from?: string | null;
  readonly destination_from?: string | null;
};

/** What the request itself says of those fields. */
export type StatedFields = { readonly amount?: number; readonly currency?: string; readonly destination?: string };

/** What an action is judged by. `amount` is in minor units of `currency`. */
export type DerivedFields = { readonly amount?: number; readonly currency?: string; readonly destination?: Destination };

type Field<Value> = {
  readonly name: keyof DerivedFields;
  readonly from: string | null | undefined;
  readonly stated: unknown;
  readonly read: (written: unknown) => Value | { readonly fault: string };
  readonly same: (a: Value, b: Value) => boolean;
};

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const readAmount = (written: unknown): number | { readonly fault: string } =>
  typeof written === 'number' && Number.isSafeInteger(written) && written >= 0
    ? Math.abs(written) // -0 is 0
    : { fault: 'must be a whole number of minor units, from 0 to 9007199254740991' };

/** Many APIs spell codes in lower case; what policies see is always upper case. */
const readCurrency = (written: unknown): string | { readonly fault: string } => {
  const code = typeof written === 'string' && /^[A-Za-z]{3}$/.test(written) ? written.toUpperCase() : '';
  return currencies.has(code) ? code : { fault: 'must be an ISO 4217 currency code, such as EUR' };
};

const readDestination = (written: unknown): Destination | { readonly fault: string } =>
  typeof written === 'string' ? parseDestination(written) : { fault: 'must be a URL or host:port' };

const sameDestination = (a: Destination, b: Destination): boolean => a.host === b.host && a.port === b.port;

const isUnreadable = (value: unknown): value is { readonly fault: string } =>
  typeof value === 'object' && value !== null && 'fault' in value;

/** The field's value, or undefined with the reason among `faults`, or undefined because nobody gives it. */
const settle = <Value>({ name, from, stated, read, same }: Field<Value>, parameters: unknown, faults: Fault[]): Value | undefined => {
  const readAt = (pointer: string, written: unknown): Value | undefined => {
    const value = read(written);
    if (!isUnreadable(value)) return value;
    faults.push({ pointer, message: value.fault });
    return undefined;
  };
  const fromRequest = stated === undefined ? undefined : readAt(`/${name}`, stated);
  if (from === undefined || from === null) return fromRequest;

  const source = `/parameters${from}`;
  const tokens = parsePointer(from);
  const written = tokens === null ? undefined : readPointer(parameters, tokens);
  if (written === undefined) {
    faults.push({ pointer: source, message: `is required, since the tool takes its ${name} from there` });
    return undefined;
  }
  const derived = readAt(source, written);
  if (derived !== undefined && fromRequest !== undefined && !same(derived, fromRequest)) {
    faults.push({ pointer: `/${name}`, message: `contradicts ${source}, from where the tool takes its ${name}` });
    faults.push({ pointer: source, message: `contradicts /${name}` });
  }
  return derived;
};

const equal = <Value>(a: Value, b: Value): boolean => a === b;

/**
 * The fields of an action: read from the parameters where the tool declares so, otherwise as the request states them. A declared one must be
 * present, and the request may repeat it but not contradict it, so that an agent cannot show a policy another value than the tool receives.
 */
export const deriveFields = (sources: FieldSources, parameters: unknown, stated: StatedFields): DerivedFields | Faults => {
  const faults: Fault[] = [];
  const take = <Value>(field: Field<Value>): Value | undefined => settle(field, parameters, faults);
  const amount = take({ name: 'amount', from: sources.amount_from, stated: stated.amount, read: readAmount, same: equal });
  const currency = take({ name: 'currency', from: sources.currency_from, stated: stated.currency, read: readCurrency, same: equal });
  const destination = take({
    name: 'destination',
    from: sources.destination_from,
    stated: stated.destination,
    read: readDestination,
    same: sameDestination,
  });
  if (faults.length > 0) return { faults };
  return {
    ...(amount === undefined ? {} : { amount }),
    ...(currency === undefined ? {} : { currency }),
    ...(destination === undefined ? {} : { destination }),
  };
};
