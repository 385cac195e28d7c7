import { Command, Option } from 'commander';
import { HAND_COMMANDS } from './all-commands.ts';
import { helpAfter } from './calls/show-row.ts';
import type { Cli, GlobalOptions } from './session/cli.ts';
import type { HandCommand } from './session/hand-command.ts';
import { type CommandRow, type FlagRow, NOUN_SUMMARIES } from './table/command-table.ts';

export type ProgramParts = {
  readonly words: readonly string[];
  readonly table: readonly CommandRow[];
  readonly version: string;
  readonly exitCodes: readonly string[];
  readonly writeError: (text: string) => void;
  readonly run: (options: GlobalOptions, work: (cli: Cli) => Promise<unknown>) => Promise<void>;
};

const GLOBAL_OPTIONS: readonly (readonly [flags: string, description: string])[] = [
  ['--url <address>', 'address of the control plane; remembered by svc login'],
  ['--profile <name>', 'profile with address, defaults and session'],
  ['-w, --workspace <workspace>', 'workspace of the call'],
  ['-e, --environment <environment>', 'environment of the call'],
  ['--json', 'one JSON document on standard output, everything else on standard error'],
  ['--fields <names>', 'only these members, separated by commas'],
  ['--field <name>', 'the value of one member'],
  ['-q, --quiet', 'no notes on standard error'],
  ['--no-input', 'never ask'],
  ['-y, --yes', 'answer the confirmation'],
  ['--timeout <duration>', 'time limit of the call, such as 30s'],
  ['--idempotency-key <key>', 'key under which a repeated call is made once'],
  ['--show-call', 'print the call as curl instead of making it'],
  ['--show-permission', 'print the permission and step-up that the command needs'],
  ['--debug', 'stack trace of an error'],
  ['--no-color', 'no colours'],
  ['--no-pager', 'no pager for a result that is longer than the screen'],
];

const GLOBAL_GROUP = 'Global options:';

const addGlobalOptions = (command: Command): void => {
  const taken = new Set(command.options.map(({ long }) => long));
  for (const [flags, description] of GLOBAL_OPTIONS) {
    const option = new Option(flags, description).helpGroup(GLOBAL_GROUP);
    if (!taken.has(option.long)) command.addOption(option);
  }
};

/** Values of the global options; a flag of the operation with the same name, such as --url of a webhook, is none of them. */
const listGlobals = (command: Command): GlobalOptions => {
  const globals = command.options.filter((option) => option.helpGroupHeading === GLOBAL_GROUP).map((option) => option.attributeName());
  return Object.fromEntries(Object.entries(command.opts()).filter(([name]) => globals.includes(name)));
};

const collect = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value];

const KIND_NAMES: Readonly<Record<FlagRow['kind'], string>> = {
  text: 'text',
  integer: 'number',
  number: 'number',
  boolean: '',
  list: 'value',
  json: 'json',
  secret: 'file',
};

const addFlag = (command: Command, row: FlagRow): void => {
  const words = row.words === undefined ? '' : ` One of: ${row.words.join(', ')}.`;
  const hints = { secret: ' Read from a file, or from standard input for "-".', json: ' JSON, or @file.', list: ' Repeatable.' };
  const hint = row.kind === 'secret' || row.kind === 'json' || row.kind === 'list' ? hints[row.kind] : '';
  const description = `${row.description ?? ''}${words}${hint}${row.required ? ' (required)' : ''}`.trim();
  if (row.kind === 'boolean') {
    command.addOption(new Option(`--${row.flag}`, description)).addOption(new Option(`--no-${row.flag}`).hideHelp());
    return;
  }
  const option = new Option(`--${row.flag} <${KIND_NAMES[row.kind]}>`, description);
  command.addOption(row.kind === 'list' ? option.argParser(collect) : option);
};

const argumentName = (name: string): string =>
  name
    .replace(/Id$/, '')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase();

const addRow = (command: Command, row: CommandRow, { run }: ProgramParts): void => {
  command.description(row.summary);
  for (const { name, noun } of row.params)
    command.argument(`<${argumentName(name)}>`, name.endsWith('Id') ? `id or name of the ${noun}` : noun);
  for (const flag of row.flags) addFlag(command, flag);
  if (row.body !== 'none' || row.wire === 'file')
    command.option(
      '-f, --body <file>',
      row.wire === 'file' ? 'file to upload, or "-"' : 'JSON body from a file, or "-" for standard input',
    );
  if (row.paging !== 'none') command.option('--all', 'every page');
  if (row.wire === 'download' || row.wire === 'bytes')
    command.option('-o, --output <file>', 'write to a file of mode 0600 instead of standard output');
  addGlobalOptions(command);
  command.addHelpText('after', helpAfter(row));
  command.action((...given: unknown[]) => {
    const args = given.slice(0, row.params.length).map(String);
    return run(listGlobals(command), async (cli) => {
      const { runRow } = await import('./calls/run-row.ts');
      await runRow(cli, row, args, command.opts());
    });
  });
};

const addHand = (command: Command, hand: HandCommand, { run }: ProgramParts): void => {
  command.description(hand.summary);
  for (const [name, description] of hand.args ?? []) command.argument(name, description);
  for (const [flags, description] of hand.options ?? []) command.addOption(new Option(flags, description));
  if (hand.passThrough) command.passThroughOptions().allowUnknownOption();
  addGlobalOptions(command);
  command.addHelpText('after', `\nExample:\n${hand.examples.map((example) => `  ${example}`).join('\n')}`);
  command.action(() => {
    const args = command.args;
    return run(listGlobals(command), async (cli) => (await hand.load())(cli, args, command.opts()));
  });
};

type Leaf = { readonly words: readonly string[]; readonly add: (command: Command) => void; readonly summary: string };

const listLeaves = (parts: ProgramParts): readonly Leaf[] => {
  const byHand = new Set(HAND_COMMANDS.map(({ words }) => words.join(' ')));
  return [
    ...HAND_COMMANDS.map((hand) => ({
      words: hand.words,
      summary: hand.summary,
      add: (command: Command) => addHand(command, hand, parts),
    })),
    ...parts.table
      .filter(({ words }) => !byHand.has(words.join(' ')))
      .map((row) => ({ words: row.words, summary: row.summary, add: (command: Command) => addRow(command, row, parts) })),
  ];
};

const firstSentence = (text: string): string => text.split(/(?<=\.)\s/)[0] ?? text;

/** Adds the commands below one level. Those that the command line does not name are added with their summary only, which keeps the start short. */
const addLevel = (parent: Command, leaves: readonly Leaf[], depth: number, parts: ProgramParts): void => {
  for (const word of new Set(leaves.map(({ words }) => words[depth] ?? ''))) {
    const group = leaves.filter(({ words }) => words[depth] === word);
    const [only] = group;
    const command = parent.command(word).configureHelp({ showGlobalOptions: false });
    const leaf = group.find(({ words }) => words.length === depth + 1);
    const below = group.filter(({ words }) => words.length > depth + 1);
    command.description(leaf === undefined ? (NOUN_SUMMARIES[word] ?? `Commands of ${word}.`) : firstSentence(only?.summary ?? ''));
    if (!parts.words.includes(word)) continue;
    if (leaf !== undefined) leaf.add(command);
    if (below.length > 0) addLevel(command, below, depth + 1, parts);
  }
};

/** The program with every command, as far as the command line needs it. */
export const newProgram = (parts: ProgramParts): Command => {
  const program = new Command('svc')
    .description('Command line of the agent governance service.')
    .version(parts.version, '-V, --version')
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({ writeErr: parts.writeError })
    .showSuggestionAfterError()
    .addHelpText('after', `\nExit codes:\n${parts.exitCodes.join('\n')}\n\nHelp of a command: svc agents pause --help`);
  addLevel(program, listLeaves(parts), 0, parts);
  return program;
};
