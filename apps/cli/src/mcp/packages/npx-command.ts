/** A command that runs a package of npm: which package, which of its programs, and with which arguments. */
export type NpxCommand = {
  readonly name: string;
  /** Version, tag or range; undefined for the newest. */
  readonly wanted: string | undefined;
  readonly bin: string | undefined;
  readonly args: readonly string[];
  /** The same command with another version. */
  readonly withVersion: (version: string) => readonly string[];
};

/** A command that runs a package which cannot be pinned, with the reason. */
export type UnpinnableCommand = { readonly reason: string };

const OTHER_RUNNERS: readonly string[] = ['uvx', 'uv', 'pipx', 'bunx', 'pnpx'];
const FLAGS: readonly string[] = ['-y', '--yes', '-q', '--quiet'];
const SPEC = /^(?<name>(?:@[a-z0-9][a-z0-9._-]{0,100}\/)?[a-z0-9][a-z0-9._-]{0,200})(?:@(?<wanted>[A-Za-z0-9.^~*+_-]{1,100}))?$/u;

const getProgramName = (program: string): string => program.replace(/^.*[/\\]/u, '').replace(/\.(?:cmd|exe)$/iu, '');

type Found = {
  readonly spec: string;
  readonly specAt: number;
  readonly before: string;
  readonly restAt: number;
  readonly isNamed: boolean;
};

/** Finds the package among the words after npx: the value of --package, or the first word that is no flag. */
const findSpec = (words: readonly string[]): Found | UnpinnableCommand => {
  let named: Found | undefined;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const isOption = word === '-p' || word === '--package';
    const [, before, value] = /^(--package=)(.+)$/u.exec(word) ?? [];
    if (isOption || value !== undefined) {
      if (named !== undefined) return { reason: 'it names several packages' };
      const specAt = isOption ? at + 1 : at;
      named = { spec: value ?? words[specAt] ?? '', specAt, before: before ?? '', restAt: 0, isNamed: true };
      at = specAt;
    } else if (word === '--' || !word.startsWith('-')) {
      const restAt = word === '--' ? at + 1 : at;
      if (named !== undefined) return { ...named, restAt };
      return { spec: words[restAt] ?? '', specAt: restAt, before: '', restAt: restAt + 1, isNamed: false };
    } else if (!FLAGS.includes(word)) return { reason: `its option ${word.slice(0, 40)} of npx is not known` };
  }
  return { reason: 'it names no package' };
};

/** Reads a command that runs a package. Undefined for any other command. */
export const readNpxCommand = (program: string, words: readonly string[]): NpxCommand | UnpinnableCommand | undefined => {
  const runner = getProgramName(program);
  if (OTHER_RUNNERS.includes(runner))
    return { reason: `packages that ${runner} runs are not pinned. Name an exact version in the command` };
  if (runner !== 'npx') return undefined;
  const found = findSpec(words);
  if ('reason' in found) return found;
  const { spec, specAt, before, restAt, isNamed } = found;
  const { name, wanted } = SPEC.exec(spec)?.groups ?? {};
  if (name === undefined) return { reason: 'it runs no package of a registry' };
  const bin = isNamed ? words[restAt] : undefined;
  return {
    ...{ name, wanted, bin, args: words.slice(isNamed ? restAt + 1 : restAt) },
    withVersion: (version) => words.map((word, at) => (at === specAt ? `${before}${name}@${version}` : word)),
  };
};

export const isUnpinnable = (read: NpxCommand | UnpinnableCommand): read is UnpinnableCommand => 'reason' in read;
