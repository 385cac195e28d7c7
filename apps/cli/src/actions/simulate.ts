import { readTextFrom } from '../calls/read-value.ts';
import { resolveId } from '../calls/resolve-name.ts';
import { usageError } from '../exit-codes.ts';
import { isObject, parseJson } from '../files/json-file.ts';
import { parseAmount } from '../output/money.ts';
import { printResult } from '../output/print.ts';
import type { Cli } from '../session/cli.ts';
import type { HandOptions, RunCommand } from '../session/hand-command.ts';
import { plain } from '../terminal/io.ts';
import { explanationLines, paintDecision } from './explain-decision.ts';

type Request = {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly amount?: number;
  readonly currency?: string;
  readonly destination?: string;
};

const readPair = (pair: string): readonly [string, unknown] => {
  const [name = '', ...rest] = pair.split('=');
  const text = rest.join('=');
  if (name === '' || rest.length === 0) throw usageError(`--param needs name=value, and got "${pair}".`);
  // Numbers, booleans and JSON are taken as such; everything else is text.
  return [name, /^(-?\d+(\.\d+)?|true|false|null|[[{"].*)$/s.test(text) ? parseJson(text, `--param ${name}`) : text];
};

const readAmount = (text: string, currency: string | undefined): number => {
  if (/^\d+$/.test(text)) return Number(text);
  if (currency === undefined) throw usageError('--amount with a point needs --currency.', 'Or pass whole minor units: --amount 90000');
  const amount = parseAmount(text, currency);
  if (amount === undefined) throw usageError(`"${text}" is not an amount in ${currency}.`, 'Use 900.00, or whole minor units.');
  return amount;
};

/** Reads the request of an agent from --param, -f, --amount, --currency and --destination. */
export const readRequest = async (cli: Cli, options: HandOptions): Promise<Request> => {
  const pairs = (Array.isArray(options.param) ? options.param : []).map((pair) => readPair(String(pair)));
  const file = typeof options.file === 'string' ? parseJson(await readTextFrom(cli.io, options.file), options.file) : {};
  if (!isObject(file)) throw usageError('-f must hold a JSON object with the parameters.');
  const parameters = { ...file, ...Object.fromEntries(pairs) };
  const currency = typeof options.currency === 'string' ? options.currency.toUpperCase() : undefined;
  return {
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    ...(typeof options.amount === 'string' ? { amount: readAmount(options.amount, currency) } : {}),
    ...(currency === undefined ? {} : { currency }),
    ...(typeof options.destination === 'string' ? { destination: options.destination } : {}),
  };
};

/** Decides a request with the rules in force, without recording anything. */
export const simulate: RunCommand = async (cli, [agent = '', tool = ''], options) => {
  const { client } = await cli.connect();
  const request = await readRequest(cli, options);
  const agent_id = await resolveId(cli, 'agentId', agent);
  const decision = await client.simulatePolicy({ body: { agent_id, tool, ...request } });
  printResult(cli, decision, () => {
    cli.io.out(`${paintDecision(cli.io, decision.decision)}  ${plain(tool)}  by ${plain(agent)}  (simulated; mode ${decision.mode})`);
    cli.io.out(`${plain(decision.reason)}${decision.code === null ? '' : `   ${decision.code}`}`);
    for (const line of explanationLines(cli.io, decision.explanation)) cli.io.out(line);
  });
};
