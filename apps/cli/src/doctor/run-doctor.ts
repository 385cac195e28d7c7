import { isServiceError } from '@svc/client/errors.ts';
import { CommandError, EXIT, type ExitCode, getUsageError } from '../exit-codes.ts';
import { printResult } from '../output/print.ts';
import type { Cli, CliConnection } from '../session/cli.ts';
import type { RunCommand } from '../session/hand-command.ts';
import { escapeControlCharacters, type Style } from '../terminal/io.ts';
import { CHECKS, type DoctorCheck, type DoctorFinding, type DoctorInput, openChecked } from './checks.ts';

/** Expected failures of a check become its finding. */
const runCheck = async (check: DoctorCheck, at: DoctorInput): Promise<DoctorFinding> => {
  try {
    return await check.run(at);
  } catch (error) {
    if (!isServiceError(error) && !(error instanceof CommandError) && !(error instanceof TypeError)) throw error;
    return { status: 'fail', message: error.message, remedy: isServiceError(error) ? `svc explain ${error.code}` : 'svc doctor --debug' };
  }
};

const orUndefined = async <Value>(read: () => Promise<Value> | Value): Promise<Value | undefined> => {
  try {
    return await read();
  } catch (error) {
    if (isServiceError(error) || error instanceof CommandError) return undefined;
    throw error;
  }
};

const STYLES: Readonly<Record<DoctorFinding['status'], Style>> = { ok: 'green', warn: 'yellow', fail: 'red', skipped: 'dim' };

const print = (cli: Cli, results: readonly (DoctorFinding & { readonly group: string; readonly name: string })[]): void => {
  let group = '';
  for (const { group: own, name, status, message, remedy } of results) {
    if (own !== group) cli.io.out(cli.io.paint('bold', own));
    group = own;
    cli.io.out(`  ${cli.io.paint(STYLES[status], status.padEnd(7))} ${name}: ${escapeControlCharacters(message)}`);
    if (remedy !== undefined) cli.io.out(`          ${escapeControlCharacters(remedy)}`);
  }
};

/** Checks this machine, the service, the account, the organization and the project. */
export const runDoctor: RunCommand = async (cli, _, { only }): Promise<ExitCode> => {
  const chosen = CHECKS.filter(({ group }) => only === undefined || group === only);
  if (chosen.length === 0)
    throw getUsageError(
      `There is no group "${String(only)}".`,
      `Use one of: ${[...new Set(CHECKS.map(({ group }) => group))].join(', ')}.`,
    );
  const connection: CliConnection | undefined = await orUndefined(() => cli.connect());
  const at = await openChecked(cli, connection, await orUndefined(() => cli.url()));
  const results: (DoctorFinding & { readonly group: string; readonly name: string })[] = [];
  for (const check of chosen) results.push({ group: check.group, name: check.name, ...(await runCheck(check, at)) });
  printResult(cli, results, () => print(cli, results));
  return results.some(({ status }) => status === 'fail') ? EXIT.failed : EXIT.ok;
};
