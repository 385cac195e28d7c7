import type { OperationName } from '@svc/client/client.ts';
import type { Cli, CliConnection } from '../session/cli.ts';
import { refuseKey, withStepUp } from '../session/require-person.ts';
import type { CommandRow } from '../table/command-table.ts';

const findRow = (cli: Cli, operation: OperationName): Pick<CommandRow, 'words' | 'person' | 'stepUp'> =>
  cli.table.find((row) => row.operation === operation) ?? { words: [operation], person: false, stepUp: 'never' };

/** Sends an operation of a flow with what its row asks: a person instead of an API key, and a step-up where one is needed. */
export const sendWithConfirmation = async <Result>(
  cli: Cli,
  operation: OperationName,
  send: (connection: CliConnection) => Promise<Result>,
): Promise<Result> => {
  const connection = await cli.connect();
  const row = findRow(cli, operation);
  refuseKey(row, connection);
  return withStepUp(cli, () => send(connection));
};
