import { readFileSync } from 'node:fs';
import { readRequest } from '../calls/read-request.ts';
import { resolveId } from '../calls/resolve-name.ts';
import { getUsageError } from '../exit-codes.ts';
import { isSystemError } from '../files/json-file.ts';
import { formatExplanationLines, paintDecision } from '../output/explain-decision.ts';
import { printList, printResult } from '../output/print.ts';
import type { RunCommand } from '../session/hand-command.ts';
import { escapeControlCharacters } from '../terminal/io.ts';

/** Shows the call that a tool would make, and with --agent the decision about it. Nothing is sent. */
export const tryTool: RunCommand = async (cli, [tool = ''], options) => {
  const { client } = await cli.connect();
  const toolId = await resolveId(cli, 'toolId', tool);
  const { parameters } = await readRequest(cli, options);
  const agent_id = typeof options.agent === 'string' ? await resolveId(cli, 'agentId', options.agent) : undefined;
  const body = { ...(parameters === undefined ? {} : { parameters }), ...(agent_id === undefined ? {} : { agent_id }) };
  const dry = await client.dryCallTool({ params: { toolId }, body });
  printResult(cli, dry, () => {
    const { io } = cli;
    io.out(`${dry.request.method} ${escapeControlCharacters(dry.request.url)}`);
    for (const [name, value] of Object.entries(dry.request.headers)) io.out(`${name}: ${escapeControlCharacters(value)}`);
    if (dry.request.body !== null) io.out(`\n${escapeControlCharacters(dry.request.body)}`);
    io.out(
      `\nDestination ${escapeControlCharacters(dry.destination.host)}:${dry.destination.port} ${dry.destination.allowed ? io.paint('green', 'allowed') : io.paint('red', 'not allowed')}`,
    );
    for (const reason of dry.stopped_by) io.out(`${io.paint('yellow', 'stopped by')} ${escapeControlCharacters(reason)}`);
    if (dry.decision !== null) {
      io.out(`${paintDecision(io, dry.decision.decision)}  ${escapeControlCharacters(dry.decision.reason)}`);
      for (const line of formatExplanationLines(io, dry.decision.explanation)) io.out(line);
    }
  });
};

const readDocument = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!isSystemError(error, 'ENOENT', 'EACCES', 'EISDIR')) throw error;
    throw getUsageError(
      `${path} cannot be read.`,
      'Name a file with an OpenAPI document, a GraphQL schema or a Postman collection, or an address.',
    );
  }
};

/** Proposes tools from a document, and lists the proposals. */
export const importTools: RunCommand = async (cli, [source = ''], options) => {
  const { client } = await cli.connect();
  const environment = cli.environment;
  if (environment === undefined) throw getUsageError('--environment is required: the environment of the new tools.');
  const environment_id = await resolveId(cli, 'environmentId', environment);
  const isAddress = /^https?:\/\//.test(source);
  const name =
    typeof options.source === 'string'
      ? options.source
      : (source.split('/').at(-1) ?? 'import')
          .replace(/\.[^.]+$/, '')
          .replace(/[^A-Za-z0-9_-]/g, '-')
          .toLowerCase();
  const body = {
    environment_id,
    source: name,
    ...(isAddress ? { address: source } : { document: readDocument(source) }),
    ...(typeof options.baseUrl === 'string' ? { base_url: options.baseUrl } : {}),
  };
  const created = await client.createToolImport({ body });
  const { items } = await client.listToolProposals({ params: { importId: created.id }, query: { limit: 100 } });
  printResult(cli, { ...created, proposals: items }, () => {
    printList(cli.io, items);
    cli.io.note(`Next: svc imports apply ${created.id} --states NEW`);
  });
};
