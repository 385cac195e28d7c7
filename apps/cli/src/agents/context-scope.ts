import { sendWithConfirmation } from '../calls/guarded.ts';
import { resolveId } from '../calls/resolve-name.ts';
import { getUsageError } from '../exit-codes.ts';
import { printResult } from '../output/print.ts';
import type { RunCommand } from '../session/hand-command.ts';
import { askText, confirmDanger } from '../terminal/ask.ts';
import { escapeControlCharacters } from '../terminal/io.ts';

const SENTENCES = {
  AGENT: 'The labels of all data that an agent read count for its requests.',
  CONTEXT: 'The labels of the data that an agent read in one context count for requests in that context.',
} as const;

/** Shows or sets which labels of data count in an environment. The other risk settings stay as they are. */
export const showEnvironmentContexts: RunCommand = async (cli, [environment = '', wanted], { reason }) => {
  const { client } = await cli.connect();
  const environmentId = await resolveId(cli, 'environmentId', environment);
  const params = { environmentId };
  const { environment_id: _id, version, updated_at: _at, updated_by: _by, ...settings } = await client.getRiskSettings({ params });
  const { context_scope } = settings;
  if (wanted === undefined) {
    printResult(cli, { environment_id: environmentId, context_scope }, () =>
      cli.io.out(`${escapeControlCharacters(environment)}  ${SENTENCES[context_scope]}`),
    );
    return;
  }
  const scope = (['AGENT', 'CONTEXT'] as const).find((each) => each === wanted.toUpperCase());
  if (scope === undefined) throw getUsageError(`"${wanted}" is not a scope.`, 'Use agent or context.');
  await confirmDanger(cli.io, `${environment}: ${context_scope} → ${scope}. ${SENTENCES[scope]}`, cli.options.yes === true);
  const why = typeof reason === 'string' ? reason : await askText(cli.io, 'Reason', '--reason');
  const body = { ...settings, expected_version: version, context_scope: scope, reason: why };
  const changed = await sendWithConfirmation(cli, 'updateRiskSettings', (connection) =>
    connection.client.updateRiskSettings({ params, body }),
  );
  printResult(cli, { environment_id: environmentId, context_scope: changed.context_scope }, () =>
    cli.io.out(`${escapeControlCharacters(environment)}  ${SENTENCES[changed.context_scope]}`),
  );
};
