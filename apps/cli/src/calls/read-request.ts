import { getUsageError } from '../exit-codes.ts';
import { isObject, parseJson } from '../files/json-file.ts';
import { parseAmount } from '../output/money.ts';
import type { Cli } from '../session/cli.ts';
import type { HandOptions } from '../session/hand-command.ts';
import { readSource } from './read-value.ts';

type Request = {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly amount?: number;
  readonly currency?: string;
  readonly destination?: string;
};

const readPair = (pair: string): readonly [string, unknown] => {
  const [name = '', ...rest] = pair.split('=');
  const text = rest.join('=');
  if (name === '' || rest.length === 0) throw getUsageError(`--param needs name=value, and got "${pair}".`);
  // Numbers, booleans and JSON are taken as such; everything else is text.
  return [name, /^(-?\d+(\.\d+)?|true|false|null|[[{"].*)$/s.test(text) ? parseJson(text, `--param ${name}`) : text];
};

const readAmount = (text: string, currency: string | undefined): number => {
  if (/^\d+$/.test(text)) return Number(text);
  if (currency === undefined) throw getUsageError('--amount with a point needs --currency.', 'Or pass whole minor units: --amount 90000');
  const amount = parseAmount(text, currency);
  if (amount === undefined) throw getUsageError(`"${text}" is not an amount in ${currency}.`, 'Use 900.00, or whole minor units.');
  return amount;
};

/** Reads the request of an agent from --param, -f, --amount, --currency and --destination. */
export const readRequest = async (cli: Cli, options: HandOptions): Promise<Request> => {
  const pairs = (Array.isArray(options.param) ? options.param : []).map((pair) => readPair(String(pair)));
  const file = typeof options.file === 'string' ? parseJson(await readSource(cli.io, options.file), options.file) : {};
  if (!isObject(file)) throw getUsageError('-f must hold a JSON object with the parameters.');
  const parameters = { ...file, ...Object.fromEntries(pairs) };
  const currency = typeof options.currency === 'string' ? options.currency.toUpperCase() : undefined;
  return {
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    ...(typeof options.amount === 'string' ? { amount: readAmount(options.amount, currency) } : {}),
    ...(currency === undefined ? {} : { currency }),
    ...(typeof options.destination === 'string' ? { destination: options.destination } : {}),
  };
};
