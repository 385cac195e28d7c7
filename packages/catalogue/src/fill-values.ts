import type { CatalogueEntry, EnteredValue } from '@svc/contract/tools/catalogue-entry.ts';
import type { Fault, Faults } from '@svc/domain/tools/fault.ts';

export type GivenSecret = { readonly name: string; readonly secret: string };

export type EnteredSetup = {
  readonly values?: Readonly<Record<string, string>> | undefined;
  readonly secrets?: readonly GivenSecret[] | undefined;
};

/** The values of an application as they are used, without secrets. */
export type Filled = Readonly<Record<string, string>>;

const NAMES = /\{([a-z][a-z0-9_]*)\}/g;

/** Writes entered values into a text. Names of no entered value are parameters, and stay. */
export const fillText = (text: string, filled: Filled): string =>
  text.replace(NAMES, (whole, name: string) => (Object.hasOwn(filled, name) ? (filled[name] ?? whole) : whole));

const valueFault = ({ name, pattern, required, default: preset }: EnteredValue, value: string | undefined): Fault | undefined => {
  const pointer = `/values/${name}`;
  if (value === undefined) return required && preset === undefined ? { pointer, message: 'is required by this application' } : undefined;
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return undefined;
  return { pointer, message: `must match ${pattern}` };
};

const foreignValues = (fields: readonly EnteredValue[], given: EnteredSetup): readonly Fault[] =>
  Object.keys(given.values ?? {}).flatMap((name) =>
    fields.some((field) => field.name === name) ? [] : [{ pointer: `/values/${name}`, message: 'is no value of this application' }],
  );

/** Returns the entered values with their defaults, or the faults with pointers into a request. */
export const fillValues = ({ enter }: CatalogueEntry, given: EnteredSetup): Filled | Faults => {
  const fields = enter.filter(({ secret }) => !secret);
  const values = given.values ?? {};
  const read = (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined);
  const faults = [...foreignValues(fields, given), ...fields.flatMap((field) => valueFault(field, read(field.name)) ?? [])];
  if (faults.length > 0) return { faults };
  return Object.fromEntries(
    fields.flatMap(({ name, default: preset }) => {
      const value = read(name) ?? preset;
      return value === undefined ? [] : [[name, value]];
    }),
  );
};

/** Returns the faults of the secrets that a request has for an application. */
export const findSecretFaults = ({ enter }: CatalogueEntry, secrets: readonly GivenSecret[]): readonly Fault[] => {
  const fields = enter.filter(({ secret }) => secret);
  const missing = fields.filter(({ name, required }) => required && !secrets.some((given) => given.name === name));
  return [
    ...missing.map(({ name, label }) => ({ pointer: '/secrets', message: `must contain ${name}: ${label}` })),
    ...secrets.flatMap(({ name }, at) => {
      const pointer = `/secrets/${at}/name`;
      if (!fields.some((field) => field.name === name)) return [{ pointer, message: 'is no secret of this application' }];
      return secrets.slice(0, at).some((other) => other.name === name) ? [{ pointer, message: 'is given twice' }] : [];
    }),
  ];
};
