import { CURRENCIES } from '@svc/contract/tables/currencies.ts';
import { type Destination, parseDestination } from '../destinations/parse-destination.ts';
import type { Fault, Faults } from '../fault.ts';
import { parsePointer, readPointer } from '../json-pointer.ts';

/** A tool's JSON Pointers into the parameters for the fields that policies decide on. */
export type FieldSources = {
  readonly amount_from?: string | null;
  readonly currency_from?: string | null;
  readonly destination_from?: string | null;
};

/** The values of those fields that the request states itself. */
export type StatedFields = { readonly amount?: number; readonly currency?: string; readonly destination?: string };

/** The values by which an action is judged. `amount` is in minor units of `currency`. */
export type DerivedFields = { readonly amount?: number; readonly currency?: string; readonly destination?: Destination };

type Field<Value> = {
  readonly name: keyof DerivedFields;
  readonly read: (written: unknown) => Value | { readonly fault: string };
  readonly same: (a: Value, b: Value) => boolean;
};

const readAmount = (written: unknown): number | { readonly fault: string } =>
  typeof written === 'number' && Number.isSafeInteger(written) && written >= 0
    ? Math.abs(written) // -0 is 0
    : { fault: 'must be a whole number of minor units, from 0 to 9007199254740991' };

/** Many APIs spell codes in lower case; what policies see is always upper case. */
const readCurrency = (written: unknown): string | { readonly fault: string } => {
  const code = typeof written === 'string' && /^[A-Za-z]{3}$/.test(written) ? written.toUpperCase() : '';
  return CURRENCIES.has(code) ? code : { fault: 'must be the ISO 4217 code of a currency in circulation, such as EUR' };
};

const readDestination = (written: unknown): Destination | { readonly fault: string } =>
  typeof written === 'string' ? parseDestination(written) : { fault: 'must be a URL or host:port' };

const sameDestination = (a: Destination, b: Destination): boolean => a.host === b.host && a.port === b.port;

const isUnreadable = (value: unknown): value is { readonly fault: string } =>
  typeof value === 'object' && value !== null && 'fault' in value;

const equal = <Value>(a: Value, b: Value): boolean => a === b;

const AMOUNT: Field<number> = { name: 'amount', read: readAmount, same: equal };
const CURRENCY: Field<string> = { name: 'currency', read: readCurrency, same: equal };
const DESTINATION: Field<Destination> = { name: 'destination', read: readDestination, same: sameDestination };

/** The position of a declared field in the request, and the path to it in the parameters. */
type Source = { readonly pointer: string; readonly tokens: readonly string[] | null };
type Sources = { readonly amount: Source | null; readonly currency: Source | null; readonly destination: Source | null };

const sourceAt = (from: string | null | undefined): Source | null =>
  from === undefined || from === null ? null : { pointer: `/parameters${from}`, tokens: parsePointer(from) };

const parsed = new WeakMap<FieldSources, Sources>();

/** A tool's declaration is parsed once for as long as it is cached. */
const parseSources = (declared: FieldSources): Sources => {
  const known = parsed.get(declared);
  if (known !== undefined) return known;
  const { amount_from, currency_from, destination_from } = declared;
  const sources = { amount: sourceAt(amount_from), currency: sourceAt(currency_from), destination: sourceAt(destination_from) };
  parsed.set(declared, sources);
  return sources;
};

const readAt = <Value>({ read }: Field<Value>, pointer: string, written: unknown, faults: Fault[]): Value | undefined => {
  const value = read(written);
  if (!isUnreadable(value)) return value;
  faults.push({ pointer, message: value.fault });
  return undefined;
};

/** Returns the field's value, or undefined with a fault, or undefined because it is not given. */
const settle = <Value>(
  field: Field<Value>,
  source: Source | null,
  stated: unknown,
  parameters: unknown,
  faults: Fault[],
): Value | undefined => {
  const { name, same } = field;
  const fromRequest = stated === undefined ? undefined : readAt(field, `/${name}`, stated, faults);
  if (source === null) return fromRequest;
  const { pointer, tokens } = source;
  const written = tokens === null ? undefined : readPointer(parameters, tokens);
  if (written === undefined) {
    faults.push({ pointer, message: `is required, because the tool takes its ${name} from it` });
    return undefined;
  }
  const derived = readAt(field, pointer, written, faults);
  if (derived !== undefined && fromRequest !== undefined && !same(derived, fromRequest)) {
    faults.push({ pointer: `/${name}`, message: `contradicts ${pointer}, from which the tool takes its ${name}` });
    faults.push({ pointer, message: `contradicts /${name}` });
  }
  return derived;
};

/**
 * Derives the fields of an action: from the parameters if the tool declares that, otherwise as the request states them. A declared one must
 * be
 * present, and the request may repeat it but not contradict it, so that an agent cannot show a policy another value than the tool receives.
 */
export const deriveFields = (declared: FieldSources, parameters: unknown, stated: StatedFields): DerivedFields | Faults => {
  const faults: Fault[] = [];
  const sources = parseSources(declared);
  const amount = settle(AMOUNT, sources.amount, stated.amount, parameters, faults);
  const currency = settle(CURRENCY, sources.currency, stated.currency, parameters, faults);
  const destination = settle(DESTINATION, sources.destination, stated.destination, parameters, faults);
  if (faults.length > 0) return { faults };
  return {
    ...(amount === undefined ? {} : { amount }),
    ...(currency === undefined ? {} : { currency }),
    ...(destination === undefined ? {} : { destination }),
  };
};
