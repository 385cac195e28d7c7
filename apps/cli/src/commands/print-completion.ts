import { getUsageError } from '../exit-codes.ts';
import { printResult } from '../output/print.ts';
import type { RunCommand } from '../session/hand-command.ts';

type Tree = ReadonlyMap<string, readonly string[]>;

/** The words that may follow each sequence of words. */
const wordsAfter = (paths: readonly (readonly string[])[]): Tree => {
  const tree = new Map<string, Set<string>>();
  for (const path of paths) {
    for (const [index, word] of path.entries()) {
      const before = path.slice(0, index).join(' ');
      tree.set(before, (tree.get(before) ?? new Set()).add(word));
    }
  }
  return new Map([...tree].map(([before, words]) => [before, [...words].toSorted()]));
};

const cases = (tree: Tree): string => [...tree].map(([before, words]) => `    "${before}") words="${words.join(' ')}" ;;`).join('\n');

const bash = (tree: Tree): string => `_svc() {
  local before="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words=""
  case "$before" in
${cases(tree)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _svc svc`;

const zsh = (tree: Tree): string => `#compdef svc
_svc() {
  local before="\${(j: :)words[2,CURRENT-1]}" words=""
  local choices=""
  case "$before" in
${cases(tree).replaceAll('words=', 'choices=')}
  esac
  compadd -- \${=choices}
}
compdef _svc svc`;

const fish = (tree: Tree): string =>
  [...tree]
    .map(
      ([before, words]) => `complete -c svc -f -n 'test (string join " " (commandline -opc)[2..-1]) = "${before}"' -a '${words.join(' ')}'`,
    )
    .join('\n');

const pwsh = (tree: Tree): string => `Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
  param($word, $ast, $position)
  $before = ($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { $_.ToString() }) -join ' '
  $tree = @{
${[...tree].map(([before, words]) => `    '${before}' = '${words.join(' ')}'`).join('\n')}
  }
  if ($tree.ContainsKey($before)) { $tree[$before].Split(' ') | Where-Object { $_ -like "$word*" } }
}`;

const SHELLS: Readonly<Record<string, (tree: Tree) => string>> = { bash, zsh, fish, pwsh };

export const printCompletion: RunCommand = async (cli, [shell = '']) => {
  const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (write === undefined) throw getUsageError(`There is no completion for "${shell}".`, 'Use bash, zsh, fish or pwsh.');
  const script = write(wordsAfter(cli.commandWords));
  printResult(cli, { shell, script }, () => cli.io.out(script));
};
