type Subcommand = {
  /** One line of the help text. */
  readonly summary: string;
  /** Imports the module that runs the command with the words in `process.argv`. */
  readonly load: () => Promise<unknown>;
};

export type CommandGroup = {
  /** The npm script: `ops` of `npm run ops -- backup`. */
  readonly script: string;
  /** The first sentence of the help text. */
  readonly title: string;
  readonly commands: Readonly<Record<string, Subcommand>>;
  /** Runs if no command is named. Without it a name is required. */
  readonly unnamed?: Subcommand;
};

const HELP = ['--help', '-h', 'help'];

const joinNames = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

const helpText = ({ script, title, commands, unnamed }: CommandGroup): string => {
  const rows = Object.entries(commands).map(([name, { summary }]): [string, string] => [`npm run ${script} -- ${name}`, summary]);
  if (unnamed !== undefined) rows.unshift([`npm run ${script}`, unnamed.summary]);
  const width = Math.max(...rows.map(([usage]) => usage.length));
  const lines = rows.map(([usage, summary]) => `    ${usage.padEnd(width)}   ${summary}`);
  return `${title}\n\n${lines.join('\n')}\n\nEach command has a help text of its own: npm run ${script} -- ${Object.keys(commands)[0]} --help`;
};

/** Runs the command named by the first word, which then reads the words after it. Prints the list and exits with 2 if there is no such command. */
export const runSubcommand = async (group: CommandGroup): Promise<void> => {
  const { script, commands, unnamed } = group;
  const name = process.argv[2];
  if (name !== undefined && HELP.includes(name)) return console.log(helpText(group));
  if (unnamed !== undefined && (name === undefined || name.startsWith('-'))) return void (await unnamed.load());
  const chosen = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (chosen === undefined) {
    const fault = name === undefined ? `npm run ${script} needs the name of a command.` : `Unknown command ${name}.`;
    console.error(`${fault} Commands: ${joinNames(Object.keys(commands))}.\n\n${helpText(group)}`);
    process.exitCode = 2;
    return;
  }
  process.argv.splice(2, 1);
  await chosen.load();
};
