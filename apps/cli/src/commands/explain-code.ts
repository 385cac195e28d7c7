import { CommandError, EXIT } from '../exit-codes.ts';
import { printResult } from '../output/print.ts';
import type { RunCommand } from '../session/hand-command.ts';
import { plain } from '../terminal/io.ts';
import { nearest } from './nearest.ts';

export const explainCode: RunCommand = async (cli, [wanted = '']) => {
  const codes = await cli.anonymous().listErrorCodes();
  const code = wanted.toUpperCase();
  const found = codes.find((each) => each.code === code);
  if (found === undefined) {
    const near = nearest(
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
    io.out(plain(found.message));
    io.out(`When    ${plain(found.when)}`);
    io.out(`Remedy  ${plain(found.remedy)}`);
    io.out(`Retry   ${plain(found.retry)}`);
    io.out(`Page    ${found.docs_url}`);
  });
};
