import { CommandError, EXIT } from '../exit-codes.ts';
import { printResult } from '../output/print.ts';
import type { RunCommand } from '../session/hand-command.ts';
import { escapeControlCharacters } from '../terminal/io.ts';
import { findNearestWord } from './nearest.ts';

export const explainCode: RunCommand = async (cli, [wanted = '']) => {
  const codes = await cli.anonymous().listErrorCodes();
  const code = wanted.toUpperCase();
  const found = codes.find((each) => each.code === code);
  if (found === undefined) {
    const near = findNearestWord(
      code,
      codes.map((each) => each.code),
    );
    throw new CommandError(
      EXIT.notFound,
      `There is no error code ${code}.`,
      near === undefined ? 'List them: svc service list-error-codes' : `Did you mean ${near}?`,
    );
  }
  printResult(cli, found, () => {
    const { io } = cli;
    io.out(`${io.paint('bold', found.code)}  HTTP ${found.status}`);
    io.out(escapeControlCharacters(found.message));
    io.out(`When    ${escapeControlCharacters(found.when)}`);
    io.out(`Remedy  ${escapeControlCharacters(found.remedy)}`);
    io.out(`Retry   ${escapeControlCharacters(found.retry)}`);
    io.out(`Page    ${found.docs_url}`);
  });
};
