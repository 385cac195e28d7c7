import { CommanderError } from 'commander';
import { getAllCommands } from './all-commands.ts';
import { EXIT, EXIT_MEANINGS, type ExitCode, isExitCode } from './exit-codes.ts';
import { newProgram } from './new-program.ts';
import { reportError } from './report-error.ts';
import type { Cli } from './session/cli.ts';
import { openCli } from './session/open-cli.ts';
import type { Settings } from './settings.ts';
import { loadTable } from './table/load-table.ts';
import { openIo } from './terminal/io.ts';

const SHOWN = ['commander.helpDisplayed', 'commander.version'];

/** Faults in the words of the command line. */
const reportUsage = (error: CommanderError, isJson: boolean, text: string): ExitCode => {
  if (SHOWN.includes(error.code)) return EXIT.ok;
  if (isJson) process.stderr.write(`${JSON.stringify({ error: { code: 'USAGE', message: text.trim() || error.message } })}\n`);
  return EXIT.usage;
};

/** Runs one command line and returns the exit code of the program. */
export const runCli = async (words: readonly string[], settings: Settings, version: string): Promise<ExitCode> => {
  // A reader that closes the pipe early, such as head, ends the program quietly.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.error));
  const isJson = settings.json || words.includes('--json');
  const table = await loadTable();
  let usageText = '';
  let exitCode: ExitCode = EXIT.ok;
  let opened: Cli | undefined;
  const program = newProgram({
    words,
    table,
    version,
    exitCodes: Object.entries(EXIT_MEANINGS).map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`),
    writeError: (text) => {
      usageText += text;
      if (!isJson) process.stderr.write(text);
    },
    run: async (options, work) => {
      opened = openCli(settings, options, { table, version, commandWords: getAllCommands(table) });
      const result = await work(opened);
      if (isExitCode(result)) exitCode = result;
    },
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return reportUsage(error, isJson, usageText);
    return reportError({ settings, io: openIo(settings, {}), json: isJson, options: {}, ...opened }, error);
  }
};
